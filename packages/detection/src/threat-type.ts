/** The six categories of threats. */
export const THREAT_CATEGORIES = [
  'phone_scam',
  'social_engineering',
  'malicious_app',
  'phishing',
  'remote_control',
  'deepfake',
] as const;

export type ThreatCategory = (typeof THREAT_CATEGORIES)[number];

/** The specific types of threats, each with its category and its name in a sentence. */
export const THREAT_TYPES = {
  delivery_scam: { category: 'phishing', words: 'a parcel or delivery scam' },
  bank_impersonation: { category: 'phishing', words: 'an impersonation of a bank or a payment service' },
  account_takeover: { category: 'phishing', words: 'an attempt to obtain account credentials' },
  otp_request: { category: 'phishing', words: 'a request for a one-time code' },
  toll_or_fine_scam: { category: 'phishing', words: 'a false toll, fine or parking demand' },
  tax_scam: { category: 'phishing', words: 'an impersonation of a tax or government office' },
  credential_phishing: {
    category: 'phishing',
    words: 'a page that imitates another to collect credentials',
  },
  phishing_link: { category: 'phishing', words: 'a link that looks like those of phishing pages' },
  tech_support_scam: { category: 'phone_scam', words: 'a technical support scam' },
  call_back_scam: { category: 'phone_scam', words: 'a call-back scam' },
  robocall_scam: { category: 'phone_scam', words: 'a scam call' },
  insurance_or_debt_scam: {
    category: 'phone_scam',
    words: 'a false offer of insurance, warranty or debt relief',
  },
  family_emergency: { category: 'social_engineering', words: 'an impersonation of a relative in need' },
  romance_scam: {
    category: 'social_engineering',
    words: 'an approach by a stranger that builds trust for a scam',
  },
  crypto_scam: { category: 'social_engineering', words: 'a cryptocurrency or investment scam' },
  prize_scam: { category: 'social_engineering', words: 'a false prize, gift or refund' },
  job_scam: { category: 'social_engineering', words: 'a false job offer' },
  loan_scam: { category: 'social_engineering', words: 'a false loan or advance-fee offer' },
  charity_scam: { category: 'social_engineering', words: 'a false appeal for donations' },
  extortion: { category: 'social_engineering', words: 'blackmail' },
  business_email_compromise: {
    category: 'social_engineering',
    words: 'an impersonation of a manager or supplier',
  },
  marketplace_scam: { category: 'social_engineering', words: 'a scam around buying, selling or renting' },
  unwanted_advertising: { category: 'social_engineering', words: 'deceptive advertising' },
  suspicious_message: { category: 'social_engineering', words: 'a message worded like known scams' },
  malware: { category: 'malicious_app', words: 'malware' },
  stalkerware: { category: 'malicious_app', words: 'software that secretly monitors a person' },
  spyware: { category: 'malicious_app', words: 'spyware' },
  suspicious_app: { category: 'malicious_app', words: 'an app that could spy or take control' },
  disguised_file: { category: 'malicious_app', words: 'a file disguised as another type' },
  remote_access_tool: { category: 'remote_control', words: 'a tool for remote control of a device' },
  generated_media: { category: 'deepfake', words: 'media that is declared as generated' },
  known_indicator: { category: 'phishing', words: 'a known indicator' },
} as const satisfies Record<string, { category: ThreatCategory; words: string }>;

export type ThreatType = keyof typeof THREAT_TYPES;
