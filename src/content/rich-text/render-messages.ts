import type { OwnPlace } from './links.ts';
import type { RichText, RichTextRules } from './rich-text.ts';

/** Messages to the renderer: one text at a time, and the pages of the paths that it requested. */
export type ToRenderer =
  | { readonly kind: 'render'; readonly markdown: string; readonly rules: RichTextRules }
  | { readonly kind: 'place'; readonly place: OwnPlace };

/** Messages from it. */
export type FromRenderer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'find'; readonly path: string }
  | { readonly kind: 'made'; readonly text: RichText }
  | { readonly kind: 'refused'; readonly reason: string; readonly isCostly: boolean };
