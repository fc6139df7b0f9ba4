import { pageKey } from '../../../web/configuration/feature-configuration.ts';
import { needsPartner, type ProductDialogField } from './product-dialog.ts';

/** The properties of a downloader page that decide what it can promote. */
interface PromotingPage {
  /** Absent for the home page. */
  readonly url?: string;
  readonly elk_key?: string | undefined;
  readonly download_info: { readonly download_btns: readonly string[] };
  readonly product_dialog_info?: ProductDialogField | undefined;
}

/** The fields that have to fit each other. */
interface PromotingFile {
  readonly index_info: PromotingPage;
  readonly index_modules: readonly PromotingPage[];
  readonly partners: Readonly<Record<string, unknown>>;
  readonly recommend_right_ad: { readonly list: readonly { readonly type: string; readonly url?: string }[] };
}

const isForSound = ({ download_info }: PromotingPage) =>
  download_info.download_btns.every((button) => button === 'mp3' || button === 'm4a');

/** Refuses promotion that no page could show. */
export function checkPromotion(
  { index_info, index_modules, partners, recommend_right_ad }: PromotingFile,
  refuse: (path: (string | number)[], message: string) => void,
): void {
  const pages = [index_info, ...index_modules];
  for (const key of Object.keys(partners))
    if (!pages.some((page) => pageKey(page) === key && isForSound(page)))
      refuse(['partners', key], 'is no key of a page for sound alone');
  pages.forEach((page, at) => {
    const { product_dialog_info: dialog } = page;
    if (dialog === undefined || !needsPartner(dialog) || pageKey(page) in partners) return;
    const place = at === 0 ? ['index_info'] : ['index_modules', at - 1];
    refuse(
      [...place, 'product_dialog_info'],
      `names a partner, and "partners" has none for "${pageKey(page)}"`,
    );
  });
  recommend_right_ad.list.forEach(({ type, url }, at) => {
    const isPage = url === '/' || index_modules.some((module) => module.url === url);
    if (type === 'example' && !isPage)
      refuse(['recommend_right_ad', 'list', at, 'url'], 'is no downloader page');
  });
}
