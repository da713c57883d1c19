/**
 * Names that phishing pages imitate, collected by hand from public reporting. docs/detection.md names the public lists
 * that were considered. The first word of an entry is the name; the others are further names under which the company
 * registers domains. A star marks names that are ordinary words or very short: they count only as a whole word.
 */
const LIST = `
paypal paypalobjects|ebay ebaystatic|amazon amazonaws aboutamazon primevideo|apple* icloud|icloud apple|microsoft live microsoftonline office msn azure windows
office365 microsoft office|outlook microsoft live office|onedrive microsoft live|sharepoint microsoft|hotmail live microsoft|google googleapis gstatic withgoogle goo
gmail google|facebook fb fbcdn meta|instagram cdninstagram|whatsapp|messenger* facebook|meta* facebook|netflix nflximg|spotify scdn|roblox rbxcdn|steam* steampowered steamcommunity
steamcommunity steampowered|steampowered|discord discordapp|twitch|tiktok|telegram|twitter x|linkedin licdn|snapchat snap|pinterest|youtube|reddit|signal*|viber|wechat|line* naver
adobe|dropbox|docusign|wetransfer|zoom*|webex cisco|github githubusercontent|gitlab|slack|notion|yahoo|aol*|mailru mail|yandex|protonmail proton|zimbra|roundcube
cpanel|godaddy secureserver|ionos|ovh*|strato*|hostinger|namecheap|wordpress wp|shopify myshopify|squarespace|wix*|mailchimp|salesforce force
att* att currently|tmobile t-mobile|t-mobile|verizon vzw|xfinity comcast|comcast xfinity|spectrum* charter|vodafone|telstra|optus|orange* orange-business|telekom t-online|o2* telefonica
movistar telefonica|telefonica|swisscom|proximus|ziggo|kpn*|sfr*|bouyguestelecom bouygues|bellsouth att|sbcglobal att|mynetzero netzero|netzero|shaw* shawcable|telus|rogers*|bell* bce
dhl*|fedex|ups*|usps|dpd*|hermes* myhermes evri|evri|gls*|postnl|bpost|royalmail|auspost|canadapost|correos|laposte|colissimo laposte|chronopost|swisspost post|postnord|poste* posteitaliane|posteitaliane poste
inpost|japanpost jp-bank|sagawa sagawa-exp|yamato* kuronekoyamato|kuronekoyamato|evergreen*|aramex|singpost|anpost|ecoparcel|packeta|mondialrelay|vinted|leboncoin|allegro|olx*|mercadolibre mercadolivre|mercadopago|shopee
lazada|aliexpress alibaba|alibaba|temu*|walmart|costco|target*|bestbuy|homedepot|ikea*|carrefour|rakuten rakuten-card rakuten-bank rakuten-sec|mercari|zalando|etsy*|wish*|flipkart|wildberries
booking* bookings|airbnb muscache|expedia|agoda|tripadvisor|uber*|bolt*|lyft|ryanair|easyjet
visa*|mastercard|amex* americanexpress aexp|americanexpress aexp amex|discover*|maestro|chase* jpmorgan jpmorganchase|jpmorgan chase|wellsfargo wf|bankofamerica bofa|bofa bankofamerica|citibank citi|citi*|capitalone|usbank
truist|pnc*|tdbank td|td*|rbc* rbcroyalbank|scotiabank|bmo*|cibc|desjardins|interac|hsbc|barclays|barclaycard|lloyds lloydsbank|natwest|santander|halifax*|nationwide*|monzo|revolut|starling*|tsb*
n26*|wise* transferwise|sparkasse|volksbank|commerzbank|deutschebank db|postbank|comdirect|dkb*|ing* ingdirect|consorsbank|bnpparibas bnp|creditagricole credit-agricole|credit-agricole|societegenerale|caixabank|bbva|bankia|kutxabank|intesasanpaolo
unicredit|bancobpm|rabobank|abnamro|belfius|kbc*|postfinance|raiffeisen|ubs*|swedbank|nordea|danskebank|handelsbanken|mbank|pkobp|ipko|bradesco|itau|caixa* caixa|nubank|bancodobrasil bb|santanderbank santander|bancolombia|davivienda
banamex|bancoestado|bcp* viabcp|interbank|bdo*|metrobank|maybank|dbs*|ocbc|uob*|icicibank icici|hdfc hdfcbank|hdfcbank|axisbank|paytm|phonepe|sbi* onlinesbi|absa|fnb*|capitec|nedbank|standardbank|gtbank|bankofbaroda|mandiri|bca* klikbca|bri*|dana*|gcash|mpesa
venmo|zelle zellepay|cashapp cash|stripe|skrill|neteller|payoneer|westernunion|moneygram|klarna|afterpay|affirm|payu*|bizum|twint|vipps|mobilepay|ideal*
coinbase|binance|kraken*|kucoin|bybit|okx*|huobi htx|gemini*|bitfinex|bitstamp|cryptocom crypto|blockchain*|metamask|trustwallet|ledger*|trezor|exodus*|phantom*|uniswap|pancakeswap|opensea|walletconnect|coinmarketcap|robinhood|etoro|bitget|mexc*|uphold|gateio gate|tronlink|bitpay|solflare|rainbow*|electrum*|myetherwallet
fidelity* fidelityinvestments|schwab|vanguard*|etrade|tdameritrade|merrill*|intuit|turbotax intuit|quickbooks intuit|hrblock|irs*|hmrc*|ssa*|medicare|dvla*|govuk gov|gouv*|ameli|impots|caf*|mygov|ato*|servicecanada|agenziaentrate|agenciatributaria|ezpass e-zpass ezpassny ezpassnj|thetollroads|sunpass|fastrak|txtag|etoll|linkt
bet365|betway|pokerstars|garena|freefire|pubg* pubgmobile|fortnite epicgames|epicgames|minecraft|playstation sonyentertainmentnetwork sony|xbox microsoft|nintendo|riotgames|valorant|genshin hoyoverse|mobilelegends
jibunbank|smbc* smbc-card|mufg bk|mizuho mizuhobank|saisoncard saison|saison*|aeon* aeoncard|eposcard|jcb*|orico|docomo|softbank|nttdocomo docomo|etc-meisai|mercari|japannetbank|resona resonabank|vpass smbc-card|viewcard|ekinet eki-net|eki-net|jreast|nhk*|tepco|lawson|matsui|monex|nomura|sbisec
samsung|huawei|xiaomi|sony*|nvidia|tesla*|openai|chatgpt openai|anthropic|norton|mcafee|avast|malwarebytes|kaspersky|lastpass|1password|bitwarden|okta*|duosecurity duo
quora|hulu*|disneyplus disney|disney|hbomax max|paramount*|primevideo amazon|ticketmaster|eventbrite|strava|duolingo|canva|airtable|trello|atlassian|jira* atlassian|bitbucket
aruba* arubaspa|tiscali|libero* libero|infostrada|freenet*|gmx*|web.de|mtsmail mymts|mymts|videotron|eastlink|cox* coxmail|frontier* ftr|centurylink|earthlink|windstream|optimum* optonline|optonline|rackspace|mimecast|btinternet bt|virginmedia|talktalk|plusnet|bigpond telstra|iinet
`;

export interface Brand {
  /** Letters and digits only. */
  readonly name: string;
  readonly wholeWordOnly: boolean;
  /** The registered domain names, without suffix, that belong to the company. */
  readonly owns: ReadonlySet<string>;
}

export const BRANDS: readonly Brand[] = LIST.trim()
  .split(/[|\n]/)
  .map((entry) => {
    const [first = '', ...others] = entry.trim().split(' ');
    const name = first.replace('*', '');
    return {
      name: name.replaceAll(/[^a-z0-9]/g, ''),
      wholeWordOnly: first.endsWith('*') || name.length < 5,
      owns: new Set([name, ...others]),
    };
  });
