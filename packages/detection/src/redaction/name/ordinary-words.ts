import { toNameSet } from '../../lexicon/name-key.ts';

/**
 * Capitalised words that are not part of a personal name, from the vocabulary of detections on phones:
 * headlines, products, companies, callers' scripts and months. Compiled by hand from sample descriptions.
 */
export const ORDINARY_WORDS = toNameSet(`
  a about above access account accounts action active activity ad address admin adware after again agency agent air airlines
  airport alarm alert alerts all am amount an analysis and android another answer antivirus any app application apps april
  archive are area as asked asset assistance assistant at attachment attack attempt auction august australia authentication
  authority auto available avenue award back backup badge bank banking banks battery beach because been before begin being
  benefit benefits best beta between bill billing bitcoin black block blocked blog blue bluetooth board body bonus book
  booking bot box branch bridge brothers browser building bureau burger bus business but button buy by cafe calendar call
  callback called caller callers calling calls camera campaign can cancel canceled cancelled car card cards care case cash
  cathedral center central centre certificate challenge change channel charge charges charity chat check checking checkout
  chief children christmas church city claim claims class clean clear click client close closed cloud club coast code coffee
  coin collection college come comes commerce commission committee community company complete computer confirm connect connected
  connection consumer contact contains content control cookie copy corp corporation council count country court courier
  credential credentials credit crew crypto currency current customer customers customs cyber daily danger data database date
  day days deal debit december declined delete deliver delivered delivery demo department deposit desk desktop details
  detected detection detector device devices did digital direct director disabled discount dispute district do doctor document
  does domain don't down download downloads driver due duty each east easter edition email emergency employee enable enabled
  end energy engineer enter enterprise error estate event exchange executive expired explorer express extra fake false fast
  february fee feed file files final finance financial find fire firewall first flight follow food football for forced form
  forum forward found foundation fraud free freight friday from fund funds gallery game games garden gas gate gateway
  general generator get gift give global go gold good got government grand grant great green group guard had hall hardware
  has have he health hello help helpdesk her here hi high him his hit holiday home hospital hot hotel hotline house how
  id identified identity if image immediate immigration important in inbox inc income info information initiative injection
  insider install installed installer instant institute insurance interest international internet into investigation
  investment invoice is island issue it item january job jobs join july june just keep key keyboard keylogger kit know lab
  label labs lake last late law leak legal letter level library license life like limited line link linked list live llc
  loader loan local lock locked log login logistics lost lottery love low ltd machine macro mail mailbox mall malicious malware
  management manager march market marketing may media medical meeting member memory message messages messenger military
  ministry minute missed mobile monday money monitor month mortgage mountain mr mrs ms museum music my name national
  need network new news night no north not note notice notification november now number october of off offer office officer
  official oil on once one online only open operation operator option or order orders other our out overdue overlay owner
  package pad page paid parcel park password passwords patch pay payload payment payments payroll pending pension period
  permission permissions person pharmacy phish phishing phone photo pin pipeline place plan platform play player please plus
  point police policy popup port portal post postal power premium president press prime printer privacy private prize pro
  process product profile program programme project promo protect protection provider public purchase push quarantined
  question quick radio railway ransomware rat rate read ready real received recent record recovery red refund registered
  register regular release relief remote remove removed rent reply report reported reports request requested required
  research reset resort restaurant resources response restricted result return revenue reward rewards risk river road
  room root rule safe safety said sale sales sample santa saturday save savings says scam scammer scan scanner school score
  screen screenshot script sd search seat second secret section secure security see select sell send sender sensor sent september
  server service services session set settings severe severity share sharing she shipment shipping shop show sign signal
  signature signed signs silver sim sir site sms smart smishing social society software sold solution solutions some source south
  spam special spoofed spoofing sports spyware square st staff stage standard state statement states station status
  stock stop store stores stream street student studio studios submit subscription success summer sunday super support
  suspect suspected suspended suspicious switch system systems tablet tax team tech technical technician technologies technology
  telecom terminal test text than thanks that the theater their them then there these they this threat thursday ticket time
  times title to today token tomorrow toll tool tools top total tower town tracking trade trading traffic transaction
  transfer transport travel treasury trial tried trojan trust tuesday tv type under union unit united university unknown
  unlock unpaid unsubscribe until up update upgrade urgent url us usb use used user users valley vehicle verification verified
  verify version via victim victims video view village virtual virus vishing visit voice voicemail voucher vpn wallet wallpaper
  wants warehouse warning was watch water we weather web website wednesday week welcome were west what when where which white
  who why wifi will windows winner winter wire wireless with work worker working world worm yes yesterday you your zone

  adobe airbnb alibaba aliexpress alphabet amazon amex android anydesk aol apple asus at&t authenticator azure barclays
  binance bing bitwarden bnp booking capital chase chrome chromebook cisco citibank citrix cloudflare coinbase comcast
  commerzbank costco dell deutsche dhl discord disney docusign dropbox ebay edge emotet excel exchange facebook facetime
  fedex firefox flubot galaxy github gitlab gmail google hermes hotmail hsbc huawei ibm icloud instagram intel ios ipad iphone
  irs itunes joker kaspersky kraken lenovo linkedin linux lloyds logmein macos mastercard mcafee messenger metamask
  microsoft mozilla natwest netflix nintendo nokia norton nvidia office onedrive oneplus openai oracle outlook paypal pegasus
  pixel playstation postbank postnl qr quickbooks revolut roblox safari samsung santander sharepoint shopify siri
  sharkbot skype slack snapchat sony sparkasse spotify steam stripe teams teamviewer telegram telekom teabot tesla
  threads tiktok toyota trezor trustwallet twitter uber ubuntu ups usps venmo verizon viber visa vodafone volksbank walmart
  wechat wells western whatsapp wikipedia windows word xbox xiaomi yahoo youtube zelle zoom

  abbuchung aber aktion aktualisierung allee am anruf anrufer antwort anwendung april auf aufforderung aus august bank bei benutzer
  bescheid bestätigung bestellung betrug bitte büro code daten das dein deine dem den der des dezember die dienst dienstag
  donnerstag ein eine einen er es februar finanzamt firma frage freitag für gerät geld gewinn gmbh grüße haben haus heute
  ich ihr ihre ihren im ist januar juli juni karte kasse kein konto kontos kreditkarte kunde kunden kundenservice lieferung
  mahnung mai märz mein meine mit mittwoch montag nach nachricht nicht november nummer oder oktober paket passwort polizei
  post rechnung samstag schadsoftware schule sendung september sicherheit sicherheitswarnung sie sofort sonntag sparkassen
  stadt steuer straße tag team termin überweisung um und unbekannt uns unser unternehmen update verdacht versicherung
  vertrag verwaltung von vor warnung website wegen wenn werden wir wohnung zahlung zeit zoll zu zugang zum zur

  actualización agence ahora alerta alerte amende août aviso avec avocat banco banca banque bonjour bonsoir carte client cliente
  clientes code colis compte conta conto correos cuenta cuando de decembre del dès dossier el elle en enero entrega es est et
  factura facture fattura febrero février fin gobierno hola hoy il impôts iva janvier je jeudi jueves juillet juin la las
  lavoro le les livraison lo los lundi lunedì lunes mai mairie mardi martes mars marzo mensaje mercredi merci message
  mi ministerio miércoles mon mutuelle ne notre nous nuestro número oggi pago paiement para paquete pedido per policía
  polizia por poste pour que sabado samedi se seguridad senha service serviço servicio servizio société soporte su sur
  tarjeta tienda tu un una urgente vendredi viernes virement votre vous
  bardzo dzień dzisiaj i konto kurier nie oraz paczka płatność proszę przelew rachunek wiadomość
  ag ab bv cie co eg ev kg nv oy plc sa se spa srl
`);

/** A legal form or institution after the words makes them the name of an organization. */
export const ORGANIZATION_WORDS = toNameSet(`
  inc ltd llc gmbh ag ab bv kg nv oy plc sa se spa srl corp corporation company foundation stiftung university universität
  hospital klinik airport stadium school college church group holding brothers
`);

/** Whole phrases that look like a person's name and are a brand. */
export const BRAND_NAMES: ReadonlySet<string> = new Set(
  `calvin klein;carl zeiss;charles schwab;hugo boss;jack daniels;jack wolfskin;jimmy choo;louis vuitton;mary kay;
  michael kors;morgan stanley;paul smith;philip morris;ralph lauren;robert bosch;tommy hilfiger;victoria secret;
  yves rocher;john deere;ben jerry;jean paul gaultier;johnson johnson;marc jacobs;oscar mayer;stella artois;don julio`
    .split(';')
    .map((brand) => brand.trim()),
);
