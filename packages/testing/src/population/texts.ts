import type { ThreatCategory } from '@tps/contract';

/** What an attacker or a careless person puts into names and descriptions. Pages must show them as text. */
export const HOSTILE_TEXTS = [
  '<img src=x onerror="document.title=\'owned\'"> & "quotes" \'too\'',
  'javascript:alert(document.domain)//https://example.com',
  'Invoice \u202Egnp.exe\u202C, right to left in the middle, الهاتف الجوّال',
  'Zalgo t\u0336\u0321\u0316e\u0337\u0300x\u0338\u0306t, \u200bzero\u200dwidth, emoji 👩‍👩‍👧‍👦, 詐欺電話',
  `{{constructor.constructor('return 1')()}} \${7*7} </script><script>1</script>`,
  'A'.repeat(300),
] as const;

/** Descriptions by category, as detectors write them. Names, numbers and links in them are made up. */
export const DESCRIPTIONS: Readonly<Record<ThreatCategory, readonly string[]>> = {
  phishing: [
    'Message with a link to a look-alike login page of a bank',
    'Parcel notice asks for a small fee on a page that is two days old',
    'Mail with a QR code that leads to a page for Microsoft 365 passwords',
    'Toll notice with a shortened link, sent to many people',
    'Sender asks for the one-time code that the bank just sent',
  ],
  phone_scam: [
    'Caller claims to be from the security team of the bank and asks for a transfer',
    'Recorded voice announces an arrest warrant and asks to press 1',
    'Caller offers support for a computer that works well',
    'Repeated calls that end after one ring, from a premium number abroad',
  ],
  social_engineering: [
    'Message from an unknown number: "Mum, my phone is broken, this is my new number"',
    'Mail in the name of the managing director asks accounting for an urgent transfer',
    'Job offer that asks for a deposit before the first day',
    'Chat partner of two weeks recommends an investment platform',
  ],
  malicious_app: [
    'Installed package asks for accessibility and notification access at once',
    'Document is an executable: the extension and the content differ',
    'Package name matches a known stalkerware product',
    'Update of a flashlight app now reads text messages',
  ],
  remote_control: [
    'Remote control tool was started during a call from an unknown number',
    'Screen is shared with a session that the person did not start',
    'Remote access tool installed from a page instead of the store',
  ],
  deepfake: [
    'Voice in a call matches synthetic speech of a known generator',
    'Video call shows a face whose lips do not follow the speech',
  ],
};

/** Why a person decided as they did. Comments of incidents. */
export const COMMENTS = [
  'Called the person back on the number we know. They had not entered anything.',
  'Same link as in the campaign of last week. Blocked at the gateway too.',
  'Waiting for the answer of the telephone provider.',
  'The sender is our own payroll provider; their new domain is fine.',
  'Password was reset and sessions were ended. Device is clean.',
  'Needs the second shift: device is offline until Monday.',
  'Duplicate of the case that Mira is working on.',
] as const;
