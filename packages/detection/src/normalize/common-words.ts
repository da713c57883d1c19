/**
 * Common English words: those in at least four of the project's own training texts, and ordinary words of
 * addresses. `splitJoined` finds them in runs of letters.
 */
export const COMMON_WORDS: readonly string[] = `
  a ability able about above abroad academy accept accepted access accident account accountant accounts act action
  activate active activity add added address adult adventure advice affected after afternoon afterwards again
  against age agency agent ago agree agreed agreement agriculture ahead aid airline airport alarm album alert
  alerts all allergies allow almost alone alpine already also always am amazon amount an ancient and animal annual
  another answer answers antivirus any anybody anyone anything anyway api apologies app appeal appear apple
  application applied applies apply applying appointment approve approved apps apr april archive are area aren
  around arrest arrested arrival arrive arrived arrives arriving article artist as asap ask asked asking asks
  assessment assistant at atlas atm attached attachment attempt attention attorney audit august aunt authority
  authorize auto automated automatic automatically autopay autumn available avoid award away baby back backup bad
  badge bag bags bail balance ballot band bank banking banks barcode base basic basket battery be beach beautiful
  because been before beginner behalf behind being believe bell below beneficiary benefit benefits best better
  between beware bicycle big bike bill billing bills bin bins bird birth birthday bit bitcoin black bless block
  blocked blood blue board boarding boiler bonus book booked booking books boots border borrow boss both bother
  bottle bought box branch bread break breakfast bridge bright bring brings broke broken brought btc budget build
  building bump bus business busy but butter button buy buyer buying by bye cab cake calendar call called callers
  calling calls came camera camp can cancel cancellation cancelled cancer cannot capital car card cards care
  career careful carpet carrier carries carry cars case cash cashier castle cat caught cell center central centre
  cents ceo certificate chair chance change changed changes changing chapter charge charged charger charges
  charity chat cheap check checked checking checkout cheers cheque chicken child children chip chocolate choice
  choir choose choosing chose chosen christmas church cinema city claim claimed claims class classic clean
  cleaning clear clerk click client clients climate clinic clock close closed closes closing cloud club coach
  coast coats code codes coffee cold colleague colleagues collect collected collecting collection college color
  colour come comes coming comment comments commission community company compare compensation complaint complete
  completed completion computer concert conference confidential confirm confirmation confirmed congrats
  congratulations connect consent contact contacts continue contract control cook cooking copay copied copies copy
  correct cost costs cotton could couldn council count counter country counts county coupon courier course court
  courtesy cousin cover covered craft crash creative credit credited crew crime cross crypto culture current curry
  custom customer customers customs cut dad daily damage dance data date dated dates dating daughter day days dead
  deadline deal dear debit debited debt december decide decided decision decline declined delay delayed delete
  deleted deliver delivered delivery dental department deposit depot dept design desk details device devices dial
  did didn died difference different digest digital digits dinner dinosaur direct director discount disease
  dispatch dispute do doctor doctors document documents does doesn dog doing dollars domain don donate donation
  done door doors double down download draft draw dream dress drink drinks drive driver driving drop dropped due
  duty each early earn earned earth easy eat economy edit edition education electric electricity eligible else
  elsewhere email emails emergency employer employment empty enclose enclosed end ended ending ends energy
  enforcement engine engineer english enjoy enough enrollment enrolment enter entitled entry envelope equipment
  error escrow est estate estimate estimated europe even evening event ever every everyone everything exam excess
  exchange exercise exit expect expected expecting expenses expensive experience expert expire expired expires
  expiry explain explore export extend extension extra eye fabric face facebook failed failure fair fake fall
  falls false families family famous far fare farm fashion fast father fault favour federal fee fees fell festival
  few figures file filed files fill film final finance financial find fine fines finish finished fire firm first
  fish fit fitness five fix fixed flat flight flights flood flower flu folder follow following follows food
  football for forest forget forgiveness forgot form forms forward found four fraud free freeze french fresh
  friend friendly friends from front frozen fruit full fun fund funds funeral furniture further future game garage
  garden gas gate gave general generated german get gets getting gift girl give given gives giving glad glass
  glasses global go god goes going gold golf gone good goodbye google got gov government gran grandma grant
  grateful great green grey gross ground group growth gst guarantee guaranteed guest guests guide guitar gym
  hacked had haha hair half hall hand handed handle hang happens happy harbor hard has hasn have haven he head
  heads health hear hearing heart heating heavy held hello help helpline helps her here hey high him hire hiring
  his history hit hiya hmrc hold holding holiday home homes honey hope horse hospital host hot hotel hour hours
  house how huh human hurry hurt husband i iban idea identity if ignore ill image immediately immigration import
  important in inbox incl included including income inconvenience increase india industry info inform information
  inside install instalment instalments instant instead insurance interest interested internet interview into
  intranet invest investigation invitation invited invoice invoices iphone irs is island isn issued it italian
  item items its itself jab jacket january japan jazz job jobs join joining journal journey judge july june jury
  just keep keeps kept key keys kids kind kindly kit kitchen knife know known label labour lady lake lamp land
  landed landlord lands language laptop large laser last late later latest laundering law lawyer lead leader
  leaflet leak learn learning lease least leather leave leaves leaving left legal lemon lend less lesson lessons
  let lets letter letting lettings level library licence life lift light like limit limited line lines link linked
  links list listen listing little live loan local locked locker log logged login lol london long longer look
  looked looking looks lose lost lot lots love lovely low lower luck lunch machine madam made magazine magic mail
  mailbox mails main maintenance make makes man manage manager manual many march marked market marketing master
  mastercard match math matter may maybe me meal meals medical medicines meet meeting member members membership
  memory message messages met metal meter method microsoft midnight miles milk million min mind mine mini mins
  minute minutes miss missed missing mistake mobile mode model modern mom moment monday money month monthly months
  moon more morning mortgage most mot mother motor mountain move moved moves movie moving mrs msg much mum museum
  music must my name named names nan nation national natural nature nda near nearest nearly need needed needn
  needs neighbour neighbours net network never new news newsletter next nhs nice night nights nine no nobody non
  none normal normally north not note notes nothing notice noticed notices notification notifications november now
  number numbers nurse oak ocean october odd of off offer offers office officer offline often oil ok okay old
  older omg on once one ones online only oops open opened opening opera operation operations opt or orange order
  ordered orders organic original other others otherwise otp our ours out outage outdoor outside outstanding over
  overdraft overdue overnight overtime owe owed own owner pack package packed page pages paid paint palace paper
  papers parcel parcels parent parents park parking part partner partners parts party pass passcode passed
  passport passports password passwords past patch patience patient pattern paused pay payable payday payee paying
  payment payments paypal payroll pays payslip pdf pending pension people per percent perfect period permit person
  personal pet petrol pharmacy philosophy phone phones photo photos physics piano pick picked picks pickup pics
  picture pictures pin pizza place placed places plan planet planned plant plastic plate platform play player plc
  please pls plumber plus poem points police policy polling polls pool poor pop popular portal position possible
  post postage postcode posted pounds power pre prefer premium prepaid prescription present press pretending
  prevention price prices principal print printed printer priority privacy private prize pro problem process
  processed processing product profile profit program programme project promise proof property protect protected
  protection provide provider public publish published purchase put qualify quality quarter question questions
  quick quiet quiz quote quoting race radio raffle rail rain raised rang rate rates rather reach reached read
  reading ready real really reason rebate rebook receipt receipts receive received receiving recent reception
  receptionist recharge recipe recognise recommend record recorded recording records recovery recycling red reduce
  reduced ref reference references refill refund refundable refunded refunds regarding regards register registered
  registration registry regulated regulation regulator rejected release released relief remember reminder
  reminders remittance remote remove removed renew renewal renewed renews rent repair repay repeat replace
  replaced replacement replies reply report reported representative request requested requests required reschedule
  rescue research reservation reserve reserved reset resident rest restart restaurant results return returned
  returning returns revenue review reward rice ride right ring ringing rings rise risk river road rock role roof
  room rota round route royal rules run running runs rush safe safety said salad salary sale sales salt same sand
  saturday save saved savings saw say saying says scale scam scan schedule scheme school science scratch screen
  screenshot search season seat seats second seconds secret secretary section secure security see seeing seen sees
  seized selected self sell seller selling send sender sending senior sent serial series served server servers
  service services session set settings settle settled settlement seven several shadow shall shape share shared
  shares she shelter shift ship shipped shipping ships shirt shoes shop shopper shopping short should shout show
  shown shows shut side sign signal signature signed signing silver sim simple since sincerely singer single sir
  sister site six size skin sleep slip slot slots slow small smart sms snow so social sofa soft software solar
  sold solicitor some somebody someone something song soon sorry sort sound sounds soup south space spam spanish
  spare speak speaking special specialist speed spend spent spider split sport spread spring square staff stage
  stamp stand standard standing star stars start started starting starts state statement station status stay stays
  steel step steps sticker still stock stocks stolen stone stop stopped stops storage store storm story straight
  street strong stuck student studio study style subject submit subscribed subscription such sugar suit suits sum
  summary summer summons sunday super supplier supply support sure surface surgery surprise survey suspended
  suspension suspicious swap sweet swim switch system table take taken takes talk talking tap tariff task taste
  tax taxes taxi taxpayer teacher team teams tech technical tell temporary ten tenant tennis term terminal terms
  test text texts than thank thanks that the their them then theory there theres these they thing things think
  thinking this those thought thousand three through thursday thx ticket tickets till time times tip tips to today
  together token told toll tolls tomato tomorrow tonight too took tool top total tour town toyota track tracking
  trade trading traffic train training transaction transfer transferred transfers travel treasurer treat tree
  trend trial tried trip trouble truck true trust try trying turkey turn turned twice two txt type typed tyres
  unchanged uncle under uniform union unit units university unless unlock unpaid unsubscribe until unusual up
  update updated updates upgrade upi upload urban urgent us usdt use used user users using usual usually utc
  vaccination valid value van vat vegan vehicle vendor verification verified verify version very vet via video
  videos view viewed viewing village vintage violin virtual visa vision visit visiting visits voice volunteer vote
  votes voucher vouchers vpn wait waiting walk wall wallet want wanted wants warehouse warm warning warrant
  warranty was wasn watch water wave way we weather web webinar website wedding week weekdays weekend weekly weeks
  welcome well went were weren west what whats when where whether which while white who whole why wife wifi wild
  will win wind window windows wine winter wire wish wishes with withdraw withdrawal within without woman won wood
  word work worked working works world worldwide worries worry worth would write writing written wrong wrote yeah
  year yearly years yellow yes yesterday yet yoga you young your yours yourself zebra zelle zero zone
`
  .trim()
  .split(/\s+/);
