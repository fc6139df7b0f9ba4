import type { DocumentPart } from '../../site/document/document-data.ts';
import { consentTexts } from './consent-texts.ts';

const part: DocumentPart = (services, { address, visitors }) => ({
  consent: consentTexts(services, address.locale, visitors),
});

export default part;
