import type { DocumentData } from '../document/document-data.ts';
import { Mark } from '../ui/icon.tsx';

/** The picture beside the site's name: its own logo, or the ferry. */
export function SiteMark({ logo }: { logo: DocumentData['logo'] }) {
  return logo === undefined ? <Mark /> : <img {...logo} alt="" />;
}
