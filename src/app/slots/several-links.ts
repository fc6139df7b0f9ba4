import type { SeveralLinks } from '../../web/pages/tool/answers/several-links.tsx';

/** Loads what lists several links, where a feature does; undefined where none does. */
export const [listOfLinks] = Object.values(
  import.meta.glob<SeveralLinks>('../../features/*/browser/list.tsx', { import: 'severalLinks' }),
);
