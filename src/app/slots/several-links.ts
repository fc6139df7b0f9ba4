import type { SeveralLinks } from '../../site/pages/tool/state/several-links.tsx';

/** Loads the component for several links if a feature provides one; undefined otherwise. */
export const [listOfLinks] = Object.values(
  import.meta.glob<SeveralLinks>('../../features/*/browser/list.tsx', { import: 'severalLinks' }),
);
