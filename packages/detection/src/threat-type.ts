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

/** The specific types of threats, each with its category. */
export const THREAT_TYPES = {
  delivery_scam: { category: 'phishing' },
  bank_impersonation: { category: 'phishing' },
  account_takeover: { category: 'phishing' },
  otp_request: { category: 'phishing' },
  toll_or_fine_scam: { category: 'phishing' },
  tax_scam: { category: 'phishing' },
  credential_phishing: { category: 'phishing' },
  phishing_link: { category: 'phishing' },
  tech_support_scam: { category: 'phone_scam' },
  call_back_scam: { category: 'phone_scam' },
  robocall_scam: { category: 'phone_scam' },
  insurance_or_debt_scam: { category: 'phone_scam' },
  family_emergency: { category: 'social_engineering' },
  romance_scam: { category: 'social_engineering' },
  crypto_scam: { category: 'social_engineering' },
  prize_scam: { category: 'social_engineering' },
  job_scam: { category: 'social_engineering' },
  loan_scam: { category: 'social_engineering' },
  charity_scam: { category: 'social_engineering' },
  extortion: { category: 'social_engineering' },
  business_email_compromise: { category: 'social_engineering' },
  marketplace_scam: { category: 'social_engineering' },
  unwanted_advertising: { category: 'social_engineering' },
  suspicious_message: { category: 'social_engineering' },
  malware: { category: 'malicious_app' },
  stalkerware: { category: 'malicious_app' },
  spyware: { category: 'malicious_app' },
  suspicious_app: { category: 'malicious_app' },
  disguised_file: { category: 'malicious_app' },
  remote_access_tool: { category: 'remote_control' },
  generated_media: { category: 'deepfake' },
  known_indicator: { category: 'phishing' },
} as const satisfies Record<string, { category: ThreatCategory }>;

export type ThreatType = keyof typeof THREAT_TYPES;
