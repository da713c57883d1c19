import { findHosting, isMessenger, isShortener } from '../../lexicon/hosting-services.ts';
import type { IndicatorType } from '../indicator.ts';

/** Hosts with pages, files and profiles of millions of people, which differ only in their paths. */
const SHARED = new Set(
  (
    'docs.google.com drive.google.com forms.google.com sites.google.com script.google.com groups.google.com play.google.com storage.googleapis.com firebasestorage.googleapis.com translate.goog ' +
    'youtube.com youtu.be forms.office.com onedrive.live.com 1drv.ms sharepoint.com forms.microsoft.com apps.apple.com icloud.com github.com gist.github.com raw.githubusercontent.com ' +
    'objects.githubusercontent.com ghcr.io gitlab.com bitbucket.org sourceforge.net npmjs.com pypi.org docker.com docker.io dropbox.com dropboxusercontent.com mediafire.com mega.nz wetransfer.com archive.org archive.ph ' +
    'pastebin.com telegra.ph telegram.org whatsapp.com discord.com discord.gg discordapp.com cdn.discordapp.com slack.com facebook.com instagram.com linkedin.com twitter.com x.com ' +
    'reddit.com tiktok.com pinterest.com vk.com wikipedia.org notion.so canva.com scribd.com issuu.com jotform.com typeform.com surveymonkey.com trello.com figma.com'
  ).split(' '),
);
const ABOVE_SHARED = new Set([...SHARED].flatMap(parentsOf));

/**
 * Returns whether a canonical value would cover pages of unrelated people: a whole host on which anyone can
 * publish, or one that redirects anywhere. Lists of such hosts are public and long; these are the large ones.
 */
export function isShared(type: IndicatorType, value: string): boolean {
  if (type === 'domain') return isSharedHost(value) || ABOVE_SHARED.has(value);
  return type === 'url' && value.endsWith('/') && isSharedHost(value.slice(0, -1).replace(/^www\./, ''));
}

function isSharedHost(host: string): boolean {
  return (
    SHARED.has(host) || isShortener(host) || isMessenger(host) || findHosting(`any.${host}`)?.suffix === host
  );
}

function parentsOf(host: string): string[] {
  const labels = host.split('.');
  return labels.slice(1, -1).map((_, at) => labels.slice(at + 1).join('.'));
}
