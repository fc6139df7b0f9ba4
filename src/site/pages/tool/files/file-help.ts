import { type Address, pathFor } from '../../../addressing/addresses.ts';
import type { Device } from '../../../browser/device/device.ts';
import type { SiteServices } from '../../../loaders/services.ts';

/** Paths of articles that say where a downloaded file is found, for the devices that have one in the page's language. */
export type FileHelp = Readonly<Partial<Record<Device, string>>>;

/** Finds the configured articles that the page's language has. */
export async function loadFileHelp(
  { configuration, content }: Pick<SiteServices, 'configuration' | 'content'>,
  { locale }: Address,
): Promise<FileHelp> {
  const found = await Promise.all(
    Object.entries(configuration.posts_info.file_help).map(async ([device, key]) => {
      const article = (await content.translations(key)).find((one) => one.locale === locale);
      return article === undefined ? [] : [[device, pathFor(configuration, locale, article.slug)] as const];
    }),
  );
  return Object.fromEntries(found.flat());
}
