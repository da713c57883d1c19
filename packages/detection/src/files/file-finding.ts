import type { Finding, Verdict } from '../finding.ts';
import { THREAT_TYPES, type ThreatType } from '../threat-type.ts';

interface Sign {
  readonly threatType: ThreatType;
  /** Set by hand, by how often benign files look like this; there was no data set of files to measure on. */
  readonly confidence: number;
  readonly evidence: string;
  readonly minimumVerdict?: Verdict;
}

/**
 * What the structure of a file reveals. A sign with benign uses has little weight and only adds to others. A
 * sign with hardly any has a minimum verdict; if that is a warning, its confidence stays below the blocking
 * threshold of the models.
 */
const SIGNS = {
  program_as_document: {
    threatType: 'disguised_file',
    confidence: 0.95,
    evidence: 'a program with the extension of a document or a picture',
    minimumVerdict: 'block',
  },
  double_extension: {
    threatType: 'disguised_file',
    confidence: 0.9,
    evidence: 'a name with the extension of a document before that of a program',
    minimumVerdict: 'block',
  },
  reversed_name: {
    threatType: 'disguised_file',
    confidence: 0.9,
    evidence: 'a name that reverses the writing direction to hide its extension',
    minimumVerdict: 'block',
  },
  padded_name: {
    threatType: 'disguised_file',
    confidence: 0.85,
    evidence: 'a name that hides its extension behind spaces',
    minimumVerdict: 'block',
  },
  page_as_document: {
    threatType: 'disguised_file',
    confidence: 0.6,
    evidence: 'a web page with the extension of a document or a picture',
    minimumVerdict: 'warn',
  },
  archive_as_document: {
    threatType: 'disguised_file',
    confidence: 0.3,
    evidence: 'an archive with the extension of a picture or a plain document',
  },
  hidden_archive: {
    threatType: 'disguised_file',
    confidence: 0.5,
    evidence: 'an archive hidden in a file of another type',
    minimumVerdict: 'warn',
  },
  // Installers are distributed like this every day.
  only_program_inside: {
    threatType: 'malware',
    confidence: 0.15,
    evidence: 'an archive that contains only a program',
  },
  locked_program_inside: {
    threatType: 'malware',
    confidence: 0.65,
    evidence: 'a password-protected archive with a program, which scanners cannot read',
    minimumVerdict: 'warn',
  },
  eicar_test_file: {
    threatType: 'malware',
    confidence: 0.99,
    evidence: 'the EICAR test file, which is harmless and made to test scanners',
    minimumVerdict: 'block',
  },
  unpacking_bomb: {
    threatType: 'malware',
    confidence: 0.8,
    evidence: 'an archive made to exhaust the unpacker',
    minimumVerdict: 'warn',
  },
  macros: {
    threatType: 'malware',
    confidence: 0.2,
    evidence: 'a document with macros',
  },
  macros_that_start: {
    threatType: 'malware',
    confidence: 0.6,
    evidence: 'a document whose macros run when it is opened',
    minimumVerdict: 'warn',
  },
  command_in_document: {
    threatType: 'malware',
    confidence: 0.8,
    evidence: 'a document that makes another program run a command (DDE or an action)',
    minimumVerdict: 'warn',
  },
  remote_template: {
    threatType: 'malware',
    confidence: 0.7,
    evidence: 'a document that fetches a template or an object from elsewhere when opened',
    minimumVerdict: 'warn',
  },
  object_in_rtf: {
    threatType: 'malware',
    confidence: 0.6,
    evidence: 'a rich text document with an embedded object that loads automatically',
    minimumVerdict: 'warn',
  },
  html_smuggling: {
    threatType: 'malware',
    confidence: 0.8,
    evidence: 'a page that assembles a file by script and offers it as a download',
    minimumVerdict: 'warn',
  },
  password_form: {
    threatType: 'credential_phishing',
    confidence: 0.75,
    evidence: 'a page sent as a file that asks for a password and sends it elsewhere',
    minimumVerdict: 'warn',
  },
  password_field: {
    threatType: 'credential_phishing',
    confidence: 0.3,
    evidence: 'a page sent as a file that asks for a password',
  },
  // Newsletters send their readers through click counters.
  other_domain_shown: {
    threatType: 'phishing_link',
    confidence: 0.25,
    evidence: 'a link that displays one domain and leads to another',
  },
  owner_shown: {
    threatType: 'credential_phishing',
    confidence: 0.75,
    evidence: 'a link that displays the site of a well-known company or authority and leads elsewhere',
    minimumVerdict: 'warn',
  },
  shortcut_with_command: {
    threatType: 'malware',
    confidence: 0.9,
    evidence: 'a shortcut that runs a command',
    minimumVerdict: 'block',
  },
  shortcut: {
    threatType: 'disguised_file',
    confidence: 0.3,
    evidence: 'a shortcut sent as a file',
  },
  opens_elsewhere: {
    threatType: 'malware',
    confidence: 0.7,
    evidence: 'a shortcut or settings file that opens something on another computer',
    minimumVerdict: 'warn',
  },
  script: {
    threatType: 'malware',
    confidence: 0.15,
    evidence: 'a script that runs when opened',
  },
  script_that_fetches: {
    threatType: 'malware',
    confidence: 0.8,
    evidence: 'a script that downloads and runs something, or hides what it does',
    minimumVerdict: 'warn',
  },
  pdf_launch: {
    threatType: 'malware',
    confidence: 0.8,
    evidence: 'a PDF document that starts a program',
    minimumVerdict: 'warn',
  },
  pdf_opens_elsewhere: {
    threatType: 'malware',
    confidence: 0.6,
    evidence: 'a PDF document that automatically opens a file on another computer',
    minimumVerdict: 'warn',
  },
  pdf_script: {
    threatType: 'malware',
    confidence: 0.2,
    evidence: 'a PDF document that runs a script when opened',
  },
  app_evades_tools: {
    threatType: 'suspicious_app',
    confidence: 0.5,
    evidence: 'an app package damaged deliberately in a way that Android tolerates and scanners do not',
  },
} as const satisfies Record<string, Sign>;

export type SignName = keyof typeof SIGNS;

/** Returns the finding for a sign. */
export function fileFinding(name: SignName): Finding {
  const sign: Sign = SIGNS[name];
  return { detector: 'file_format', category: THREAT_TYPES[sign.threatType].category, ...sign };
}
