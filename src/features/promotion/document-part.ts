import type { DocumentPart } from '../../web/document/document-data.ts';
import { pagePromotion } from './page-promotion.ts';

const part: DocumentPart = (services, { address, path }) => ({
  promotion: pagePromotion(services, address, path),
});

export default part;
