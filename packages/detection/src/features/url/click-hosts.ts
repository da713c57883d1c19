import { withParentDomains } from './parent-domains.ts';

/**
 * Domains under which mail services count clicks, send readers on and let them unsubscribe. Such a link says nothing about
 * the page behind it. Written by hand from the documentation of the services.
 */
const MAIL_SERVICES = new Set(
  (
    'acemlna.com acemlnb.com acemlnc.com activehosted.com awstrack.me benchurl.com bmetrack.com campaign-archive.com ccsend.com cleverreach.com cmail19.com ' +
    'cmail20.com constantcontact.com createsend.com createsend1.com customeriomail.com eloqua.com emarsys.net emltrk.com exacttarget.com ' +
    'getresponse.com govdelivery.com gr-mail.com hs-sites.com hubspotemail.net hubspotlinks.com inxmail.com iterable.com klclick.com klclick1.com list-manage.com lnks.gd ' +
    'mailchi.mp mailchimp.com mailchimpapp.net mailerlite.com mailgun.net mailjet.com mandrillapp.com marketo.com mjt.lu mkt.com mktoweb.com mlsend.com ' +
    'mlsend2.com mlsend3.com newsletter2go.com pardot.com postmarkapp.com pstmrk.it rapidmail.com rdir.de rs6.net salesmanago.com sendgrid.net ' +
    'sendibm1.com sendibm2.com sendibm3.com sendibt2.com sendibt3.com sendinblue.com sparkpostmail.com sailthru.com substack.com vresp.com'
  ).split(' '),
);
/** Domains under which mail gateways and portals wrap the links of others, and partner programs count clicks. */
const WRAPPERS = new Set(
  (
    'safelinks.protection.outlook.com urldefense.com urldefense.proofpoint.com linkprotect.cudasvc.com mimecastprotect.com mimecast.com protection.sophos.com ' +
    'secure-web.cisco.com clicktime.symantec.com trendmicro.com fireeye.com inky.com avanan.click checkpoint.com ' +
    'awin1.com tradedoubler.com linksynergy.com anrdoezrs.net dpbolvw.net jdoqocy.com kqzyfj.com tkqlhce.com doubleclick.net onelink.me adj.st app.link'
  ).split(' '),
);

/** Returns whether a host is the domain of a service for links in mails, and not that of one of its customers. */
export function isClickHost(host: string): boolean {
  return MAIL_SERVICES.has(host) || WRAPPERS.has(host);
}

/** Returns whether the links of a host lead to pages of others by design. */
export function leadsElsewhere(host: string): boolean {
  for (const domain of withParentDomains(host)) if (isClickHost(domain)) return true;
  return false;
}
