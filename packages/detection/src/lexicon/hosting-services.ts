import { SHORTENERS } from './shorteners.ts';

/** Kinds of services where anyone can publish pages under the service's own domain. */
export const HOSTING_KINDS = ['builder', 'app', 'storage', 'dynamic', 'blog', 'tunnel', 'other'] as const;
export type HostingKind = (typeof HOSTING_KINDS)[number];

/** Written by hand; docs/detection.md names the public lists considered. The link model was trained with it. */
const SERVICES: Readonly<Record<Exclude<HostingKind, 'other'>, string>> = {
  builder:
    'weebly.com weeblysite.com wixsite.com wixstudio.com wix.com webflow.io framer.app framer.website framer.ai framer.media framer.wiki framer.photos godaddysites.com square.site ' +
    'mystrikingly.com strikingly.com jimdosite.com jimdofree.com jimdo.com yolasite.com ukit.me carrd.co typedream.app gitbook.io notion.site webador.com site123.me ' +
    'webnode.com webnode.page webwave.dev durable.co start.page bio.link taplink.cc simdif.com sitebeat.crazydomains.com mobirisesite.com canva.site my.canva.site bubbleapps.io ' +
    'softr.app glide.page squarespace.com myshopify.com ucraft.site ucoz.net zyrosite.com hostingersite.com lovable.app bolt.host tilda.ws teachable.com kartra.com clickfunnels.com ' +
    'systeme.io landingi.com ubpages.com pagedemo.co leadpages.co hubspotpagebuilder.com swipepages.net mailchimpsites.com constantcontactsites.com helpjuice.com zendesk.com freshdesk.com tawk.help sellfy.store rollout.site ghost.io zapier.app forms.app created.app wpkubio.com free-products-site.com',
  app:
    'vercel.app now.sh netlify.app netlify.com pages.dev workers.dev github.io gitlab.io bitbucket.io herokuapp.com web.app firebaseapp.com onrender.com render.com surge.sh glitch.me ' +
    'repl.co replit.app replit.dev fly.dev railway.app up.railway.app deno.dev azurewebsites.net azurestaticapps.net cloudapp.net azureedge.net ondigitalocean.app appspot.com run.app edgeone.app edgeone.dev wasmer.app ' +
    'stormkit.dev csb.app stackblitz.io codesandbox.io streamlit.app hf.space pythonanywhere.com vercel.dev zeabur.app koyeb.app cyclic.app adaptable.app amplifyapp.com pancake.run jdevcloud.com appwrite.network cloudapp.azure.com',
  storage:
    'r2.dev backblazeb2.com linodeobjects.com digitaloceanspaces.com s3.amazonaws.com web.core.windows.net blob.core.windows.net storage.googleapis.com wasabisys.com ipfs.io dweb.link ipfs.dweb.link nftstorage.link ' +
    'w3s.link cf-ipfs.com cloudfront.net amazonaws.com cloudflare-ipfs.com mypinata.cloud fleek.co oraclecloud.com vultrobjects.com filebase.io oortstorages.com contabostorage.com arweave.net 4everland.app storage.yandexcloud.net aliyuncs.com myqcloud.com',
  dynamic:
    'duckdns.org dynv6.net ddns.net no-ip.org hopto.org zapto.org servehttp.com serveftp.com sytes.net myftp.org dyndns.org dynu.net ddnsfree.com freeddns.org mywire.org webredirect.org ' +
    'kozow.com giize.com casacam.net gleeze.com ooguy.com accesscam.org loseyourip.com theworkpc.com redirectme.net bounceme.net 3utilities.com viewdns.net gotdns.ch mooo.com chickenkiller.com us.to my.id biz.id ' +
    'eu.org sa.com za.com ru.com co.com us.com uk.com jp.net eu.com br.com in.net mex.com dpdns.org qzz.io de5.net eu.cc it.com crabdance.com ignorelist.com 25u.com unaux.com',
  blog: 'blogspot.com wordpress.com tumblr.com livejournal.com medium.com substack.com hatenablog.com blogger.com typepad.com over-blog.com home.blog canalblog.com',
  tunnel:
    'trycloudflare.com ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev loca.lt serveo.net localto.net pinggy.link devtunnels.ms plesk.page cprapid.com mybluehost.me contaboserver.net temporary.site ' +
    'mytemp.website cloudaccess.host wpenginepowered.com kinsta.cloud pantheonsite.io flywheelsites.com wpcomstaging.com wpdevcloud.com 000webhostapp.com 000webhost.com infinityfreeapp.com rf.gd epizy.com webcindario.com ' +
    'awardspace.info byethost.com page.gd wuaze.com great-site.net free.nf iceiy.com freehostia.com altervista.org serv00.net ct8.pl tw1.ru beget.tech swtest.ru clan.su myhostpoint.ch strato-hosting.eu online-server.cloud secureserver.net netsolhost.com conohawing.com sakuraweb.com alwaysdata.net name2brands.com',
};

const KINDS: ReadonlyMap<string, HostingKind> = new Map(
  Object.entries(SERVICES).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind as HostingKind] as const),
  ),
);

/** Returns the longest end of a host that is a known service, without its dot; undefined for other hosts. */
export function findHosting(
  host: string,
): { readonly suffix: string; readonly kind: HostingKind } | undefined {
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
    const suffix = host.slice(dot + 1);
    const kind = KINDS.get(suffix);
    if (kind !== undefined) return { suffix, kind };
  }
  // "name.blogspot.de" and similar hosts.
  return /\.blogspot\.[a-z.]+$/.test(host)
    ? { suffix: host.slice(host.lastIndexOf('blogspot.')), kind: 'blog' }
    : undefined;
}

/** Returns whether a domain exists to redirect elsewhere. */
export function isShortener(domain: string): boolean {
  return SHORTENERS.has(domain);
}

/** Domains whose links open a chat with a person, a group or a program. */
const MESSENGERS = new Set(
  't.me telegram.me telegram.dog wa.me m.me line.me signal.me signal.group ig.me viber.me'.split(' '),
);

/** Returns whether the links of a domain open a chat in a messenger. */
export function isMessenger(domain: string): boolean {
  return MESSENGERS.has(domain);
}

/** Returns whether a URL is a page that anyone can create on the domain of a large company. The path identifies it. */
export function isHostedDocument(host: string, path: string): boolean {
  return (
    host === 'sites.google.com' ||
    host === 'forms.office.com' ||
    host === 'script.google.com' ||
    (host === 'docs.google.com' && /^\/(?:forms|presentation|drawings|document)\//.test(path))
  );
}
