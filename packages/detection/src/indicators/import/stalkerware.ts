import { type Collector, ImportError } from './collector.ts';
import { textsOf, toList, toObject, toOptionalText } from './plain-object.ts';

/**
 * Reads `ioc.yaml` and `watchware.yaml` of AssoEchap's stalkerware-indicators: apps with their packages,
 * certificates, servers and shops. Apps that are sold openly for supervision (`watchware`) have legitimate
 * uses.
 */
export function readStalkerware(documents: readonly unknown[], collector: Collector): void {
  const apps = documents.flatMap(toList).map(toObject).filter(isApp);
  if (apps.length === 0)
    throw new ImportError('this is not a list of apps in the format of stalkerware-indicators');
  for (const app of apps) {
    const label = toOptionalText(app.name);
    const c2 = toObject(app.c2);
    const common = {
      where: label ?? 'an app without a name',
      label,
      threatType: 'stalkerware',
      dualUse: app.type === 'watchware',
    } as const;
    for (const value of [...textsOf(app.packages), ...textsOf(app.ios_bundles)]) {
      collector.add({ ...common, type: 'package', value });
    }
    for (const value of textsOf(app.certificates)) collector.add({ ...common, type: 'certificate', value });
    const names = [c2.domains, c2.ips, c2.ip, app.websites, app.distribution].flatMap(textsOf);
    for (const value of names) {
      collector.add({ ...common, type: /[/:]/.test(value) ? 'url' : 'domain', value });
    }
  }
}

function isApp({ type }: Readonly<Record<string, unknown>>): boolean {
  return type === 'stalkerware' || type === 'watchware';
}
