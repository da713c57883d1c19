import { nameOwnSite } from './name-own-site.ts';

/** Texts of parcel firms, supermarkets and drivers. */
const PARCELS: readonly string[] = [
  'Your {carrier} parcel [from {seller}|] will [arrive|be delivered|be with you] [today|on {date}] between {window}. [Not in? [Choose a neighbour or another day|Change it] at {carriersite}|Driver {name} has {n2} stops before yours|Follow the van: {carriersite}]. [Parcel no|Ref] {ref}. [Please do not reply|There is nothing to pay|]',
  "{carrier}: [sorry, we missed you|we tried to deliver and nobody was in|nobody answered] at {clock} [today|on {date}]. [We'll be back {weekday}|It's at {city} depot from tomorrow|Your parcel is next door at no. {n2}|It is at the post office on {surname} Street]. [Bring the card we left and photo ID|Rebook with the number on the card|No charge for a second try]. [Held until {date}|{carriersite}|]",
  "[Customs charge|Import VAT|Duty] [of {sum} is payable|to pay: {sum}] [on|for] your parcel {ref} [from [Japan|the USA|Turkey]|ordered from {seller}]. [We've posted a grey card to your address|You can pay at the delivery office with your card|Pay at the door or in the {carrier} app]. [Includes our {sum} handling fee|If you don't want it, do nothing and it goes back after {n2} days|Questions: {helpline}]. [{carrier}|Kept until {date}]",
  "[Payment|Your payment of {sum}] [received|went through], thank you. [Customs [has cleared|released] parcel {ref}|Your item {ref} has been cleared by customs]. [Delivery|We'll deliver it] [{date}|in {n1} working days|tomorrow by {clock}]. {carrier}",
  "[Good news!|Hello {name},|] [your return to {seller}|the parcel you sent back|return {ref}] [has reached our warehouse|arrived {date}|is with us]. [Refund|We've refunded|You'll get] {sum} [to the card you paid with|to your PayPal|as store credit], [allow {n1} days|in {n1}-1{n1} working days|it's already on the way]. [No need to reply|Thanks for shopping with us|See your account for the rest].",
  '[Click & Collect|Order {ref}|Hi {name}, your {seller} order] is [ready|waiting|in store] at {city} [High Street.|Retail Park.|] [Bring this text and [ID|the card you used]|Show the code {n4} at the till|Park in bay {n1} and text us your number plate]. [We hold it until {date}|Open till {clock}|After {n2} days it is refunded].',
  '[Your|The] [groceries|shopping|{shop} order] [will arrive|is due|is booked] {date} between {window}. [{n1} substitutions: {milk} instead of {milk}, and a cheaper loaf|All items available|We were out of {drink}, so we took {sum} off]. [Change your basket until {clock}|Total {sum}, taken from card {n4}|Bags are charged at 10p]. [Your driver is {name}|Please have your bags ready|]',
  "[Hi, it's|This is] {name} [with|from] {carrier}, [I'm|im] [outside|at the gate|about {n1} mins away] with [a parcel|a {product}] for {surname}. [Which flat is it|Can you buzz me in|Is it ok with the neighbour at {n2}|Where shall I leave it]? [Thx|Cheers|I can wait {n1} min|]",
  '[Your|The] parcel from {name} {surname} is at [your local parcel shop|{city} News|locker {n3} at the station|Costcutter, {surname} Road]. [Code {n4}|Collection PIN: {n6}|Show code {n6} and ID]. [Pick up by {date}|It goes back after {n1} days|Open 6am-11pm]. {carrier} [{carriersite}|]',
  "[Delayed|Running late|Update]: [your order {ref}|the {product} you ordered|your {carrier} delivery] [won't come|is not coming|will be late] [today|by {date}] because of [snow|a lorry breakdown|a strike|a late flight]. [New date {date}|Now expected {date} between {window}|We'll text when it moves]. [Sorry about that|You can cancel in your account at no cost|We have taken {sum} off the delivery charge].",
  'DELIVERED {clock}: [parcel {ref}|your {seller} parcel|{n1} items from {seller}] [left|handed] [with {name} at reception|in your safe place|to {surname} at no. {n2}|in the porch]. [Photo in the app|Signed by {surname}|See photo: {carriersite}]. [How was {name}, your driver? Reply 1-5|Any trouble, tell {seller}|{carrier}]',
  '[The {surname} sofa team|{seller} Home Delivery|Two-man delivery]: your {product} [is booked for|comes on] {date}, {window}. [Please measure doors|Clear the way to the room|Keep pets in another room]. [Reply YES to confirm or NO to rebook|Balance of {sum} is due before we dispatch, pay in store or on {helpline}|We call {n2} minutes before]. [Moving it with less than 24h notice costs {sum}|Thank you|]',
  'Order #{n5} [confirmed|received|is in the kitchen]: {n1} x {food}, 1 x {food}. [Total|Paid] {sum} [by card|, cash on delivery|incl. tip]. [{name} is on the way, {n2} min|Ready to collect {clock}|Rider {name} arrives about {clock}]. [Give the rider code {n4}.|Enjoy!|Allergies? Ring us on {helpline}.]',
];

const CARRIER_SITES: readonly (readonly [string, string])[] = [
  ['Royal Mail', 'royalmail.com/track'],
  ['DPD', 'dpd.co.uk'],
  ['Evri', 'evri.com/track'],
  ['UPS', 'ups.com/track'],
  ['FedEx', 'fedex.com'],
  ['USPS', 'usps.com'],
  ['An Post', 'anpost.com'],
  ['Australia Post', 'auspost.com.au'],
  ['DHL', 'dhl.com/tracking'],
  ['Canada Post', 'canadapost.ca'],
];

/** Notices of deliveries, each with the address of the carrier that it names. */
export const DELIVERIES: readonly string[] = nameOwnSite(PARCELS, ['carrier', 'carriersite'], CARRIER_SITES);
