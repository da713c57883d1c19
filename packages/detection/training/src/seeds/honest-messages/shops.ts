import { nameOwnSite } from './name-own-site.ts';

/** Advertising that people signed up for, loyalty schemes and surveys: an offer and a way out are no scam. */
const OFFERS: readonly string[] = [
  '{seller}: [SALE|Our biggest sale|Mid-season sale] [is on|starts today|has landed]! [Up to|At least|Extra] {pct} off [coats, boots & knits|everything for the home|summer styles|all toys]. [Ends|Last day|Only until] {date}. [Shop|In store and at|See] {shopsite}. {optout}',
  "[Hi|Hey|Hello] {name}! [Enjoy|Here's|Take] {pct} off [your next order|full price items|one item] [with code|using|: enter] {promo} [at checkout|online|at the till]. [Valid|Good|Hurry, only] [until|through|till] {date}[, min spend {sum}.|] {shopsite} {optout}",
  '{seller} [VIPs|members|insiders]: [early access|first look|doors open early] [starts {clock}|is yours|from {date}]. [Doorbusters from {sum}|New arrivals {sum} & up|Hundreds of lines half price]. [Tap {shopsite}/vip|Shop the app|Show this text in store]. [Exclusions apply|While stocks last|One use per person]. {optout}.',
  "[FLASH SALE|24 HRS ONLY|Today only|Weekend deal]: {pct} OFF [sitewide|all denim|garden furniture|skincare] + [free delivery over {sum}|free returns|double points]. [Use|Code|Promo]: {promo}. [Ends midnight|Closes {clock} {date}|Don't miss it]. {shopsite}/sale [{seller}|] {optout}",
  '[BOGO|Buy 1 get 1 free|3 for 2|2 for {sum}] [on all|across] [vitamins|candles|paint|school shirts] at {seller} {city} [this {weekday}|{date} only|till {date}]. [No code needed|Say you got our text|Coupon {promo}]. [Cheapest item free|Limit {n1} each|Rain checks ok]. {optout}',
  '[Forget something|Still thinking it over|You left this behind], {name}? [The {product} in your basket|Your cart of {sum}|Your {n1} items] [is saved|may sell out|is now {pct} off]. [Finish at|Go back:] {shopsite}/cart [before {clock}.|] [Free returns for 30 days.|Code {promo}.|] {seller}. {optout}.',
  "[It's back|Back in stock|Good news]! [The {product} you wanted|An item on your wish list|Size {n1} of the boots] [is available again|is in store in {city}]. [{sum}, was {sum}|Now {sum}|Only {n2} left]. [See it|Buy]: {shopsite}/p/{n5} [You asked us to tell you|Alert set by you on {date}]. {optout}",
  "[Happy birthday|It's your birthday month|Many happy returns], {name}! [A free {drink}|A slice of cake|{sum} off|{pct} off any order|Double points] [is waiting in your app|is on us|from everyone at {seller}]. [Show this text|Code {promo}|Just scan your card] [by|until] {date}. {optout}",
  "[Your {seller} points|Points update|{name}, you have {n3} points]: [worth {sum}|= {sum} to spend|balance {n4}]. [{n3} expire on {date}|Your vouchers come by post|You're {n2} points from Gold]. [Spend in store|See the app|Turn them into vouchers at {shopsite}]. [{optout}|Card no. ends {n4}. {optout}]",
  '[How did we do|Rate your visit|Quick question], {name}? [On a scale of 0-10, how likely are you to recommend|How was] {seller} {city} [on {date}|today]? [Reply with a number|Reply 1 (poor) to 5 (great)|It takes {n1} min: {shopsite}/survey/{n4}]. [Texts are free|Answer by {date} for a chance to win a {sum} voucher, T&Cs on our site|Thanks, {name}, store manager]. {optout}',
  "[{surname}'s Pizza|Bombay Kitchen|Wok & Roll|The Oak]: [Tuesday treat|Hungry?|Family night]! [Any large pizza {sum}|2 mains + drinks {sum}|Kids eat free|{pct} off when you collect] [tonight|{weekday} from {clock}]. [Order {helpline}|Order in our app|Quote {promo}]. [Not with other offers|Delivery {fee}]. {optout}",
  "[You're in|Welcome|Thanks for signing up]! [You'll get up to {n1} msgs/month|{seller} texts: about {n1} a month]. [Here's {pct} off: {promo}|Your welcome code is {promo}]. [Consent isn't a condition of purchase|Terms: {shopsite}/sms]. {optout}",
  "[Reply YES to confirm|Reply Y to join] {seller} [text alerts|offers by SMS]. [Recurring automated marketing messages|Up to {n1} texts a month]. [Msg & data rates may apply|Msg frequency varies]. [HELP for help, STOP to cancel|Privacy: {shopsite}/privacy]. [Didn't sign up? Ignore this|]",
  "[You have been unsubscribed|You're opted out|STOP received]. [You will get no more messages from|No further texts from] {seller}. [Reply START to rejoin|Changed your mind? Text START|Help: {helpline}].",
  '[Last chance|Final hours|Ends tonight|Going, going]: {pct} off [mattresses|sofas|glasses|rugs|tyres] at {seller}. [0% finance for {n2} months, rep. 0% APR|From {sum} a month|Delivery before {month} if you order by {date}]. [Visit us at {n2} {surname} Road|Open till {clock}|{shopsite}]. [Subject to status|Was {sum}, now {sum}]. {optout}',
  '[{name}, your|Your] [gym|studio|pool] [misses you|has news]: [join again for {sum} a month, no joining fee|bring a friend free on {date}|new classes {weekday} {clock}]. [No contract|Offer closes {date}|Use {promo}]. [Sign up at the desk|Book in the app|{helpline}]. {optout}',
  '[BLACK FRIDAY|Cyber Monday|Boxing Day|Diwali Dhamaka|EOFY sale|Prime week] [is here|deals are live]! [Laptops from {sum}|TVs from {sum}|Flat {pct} OFF on mobiles|Up to {pct} off 1000s of items]. [{pct} instant discount with HDFC cards|Price match guaranteed|Click & collect in 1 hr]. {shopsite} [T&C apply.|] [{seller}|] {optout}',
  "{network}: [Special offer for you|You're due an upgrade|Thanks for {n1} years with us]. [Get {n3}GB for {sum}/month|Recharge Rs {n3}, get {n1}GB a day for 28 days|The new phone from {sum} a month, {sum} upfront]. [In store, online or call {helpline}|Dial *{n3}#|Reply CALL and we ring you]. [Offer ends {date}|Credit check applies]. {optout}",
  "[Here's|Please find] [your receipt|your e-receipt] from {seller} {city}, {date} {clock}: [{n1} items, |]total {sum}, [paid with card ending {n4}|contactless {n4}|cash]. [You earned {n2} points|You saved {sum}|VAT {sum}]. [Keep it for returns within 28 days|View: {shopsite}/r/{n6}]. [{optout}|Refunds go to the same card|]",
  "[We've refunded|Refund processed|Your refund is on its way]: {sum} for order {ref}, [to the card you used|to card {n4}|to your gift card]. [Banks take {n1}-1{n1} days|It shows by {date}|No action needed]. [Sorry the {product} wasn't right|Thanks for returning it|{seller} customer care {helpline}].",
  "[Optician|Vision Express {city}|{surname} Opticians]: {name}, [it's 2 years since your eye test|your contact lenses are due|your new glasses are ready]. [Test {sum}, free if you're over 60|Second pair free from {sum}|Fitting takes {n2} min]. [Call {helpline}|Book: {shopsite}/book|Reply BOOK for a call]. {optout}",
];

const SHOP_SITES: readonly (readonly [string, string])[] = [
  ['Next', 'next.co.uk'],
  ['ASOS', 'asos.com'],
  ['IKEA', 'ikea.com'],
  ['Target', 'target.com'],
  ['Boots', 'boots.com'],
  ['Old Navy', 'oldnavy.com'],
  ['Sephora', 'sephora.com'],
  ['Argos', 'argos.co.uk'],
  ['Kmart', 'kmart.com.au'],
  ['Best Buy', 'bestbuy.com'],
  ['Dunnes Stores', 'dunnesstores.com'],
  ['Myntra', 'myntra.com'],
  ['Parker & Sons', 'parkerandsons.co.uk'],
  ['Wei Kitchen', 'weikitchen.com'],
  ['H&M', 'hm.com'],
  ['Grace Flowers', 'graceflowers.co.uk'],
];

/** Offers of shops, each with the address of the shop that it names. */
export const SHOPS: readonly string[] = nameOwnSite(OFFERS, ['seller', 'shopsite'], SHOP_SITES);
