import { linkTo } from '../../site/addressing/addresses.ts';
import { siteHas } from '../../site/addressing/site-pages.ts';
import type { DocumentPart } from '../../site/document/document-data.ts';

const part: DocumentPart = ({ configuration }, { address: { locale } }) => ({
  troublePath: siteHas(configuration, 'status', locale) ? linkTo(configuration, locale, 'status') : null,
});

export default part;
