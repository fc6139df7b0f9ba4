import type { Options } from 'rehype-sanitize';

/** Addresses of the picture sizes that the import made. */
const ownSizes = /^(?:\/pictures\/[\w-]+\.\w+ \d+w(?:, )?)+$/;

/** A number of pixels. */
const pixels = /^[1-9]\d{0,4}$/;

/** Anchors that the notes of a text use between themselves; all other ids of a text are ours. */
const noteId = /^user-content-fn(?:ref)?-[\w-]+$/;

/**
 * The elements allowed in a text. Unlisted elements are unwrapped; those in `strip` are removed with their content. No
 * `id`, no `style`, no `class` but ours, no forms, no frames, no foreign elements.
 */
export const sanitizerSchema: Options = {
  tagNames: [
    ...['h2', 'h3', 'h4', 'p', 'br', 'hr', 'div', 'span', 'blockquote', 'pre', 'figure', 'figcaption'],
    ...['strong', 'em', 'b', 'i', 'del', 's', 'sub', 'sup', 'mark', 'small', 'q', 'cite', 'abbr', 'bdi'],
    ...['code', 'kbd', 'samp', 'var', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'details', 'summary'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'a', 'img', 'picture', 'source'],
  ],
  attributes: {
    '*': ['title', 'lang', ['dir', 'ltr', 'rtl', 'auto']],
    a: ['href', ['className', 'keep-link'], ['id', noteId]],
    li: [['id', noteId]],
    abbr: ['title'],
    code: [['className', /^language-[\w-]+$/]],
    div: [
      ['className', 'table-scroll'],
      ['tabIndex', 0],
    ],
    img: [
      'src',
      'alt',
      ['width', pixels],
      ['height', pixels],
      ['srcSet', ownSizes],
      ['sizes', /^[\w\s().:,-]{1,100}$/],
      ['loading', 'lazy'],
      ['decoding', 'async'],
      ['className', 'picture-wide'],
    ],
    source: [
      ['srcSet', ownSizes],
      ['type', 'image/avif', 'image/webp'],
      ['sizes', /^[\w\s().:,-]{1,100}$/],
    ],
    ol: ['start', 'reversed'],
    td: [['align', 'left', 'center', 'right'], 'colSpan', 'rowSpan'],
    th: [['align', 'left', 'center', 'right'], 'colSpan', 'rowSpan', ['scope', 'col', 'row']],
  },
  ancestors: {
    caption: ['table'],
    dd: ['dl'],
    dt: ['dl'],
    figcaption: ['figure'],
    li: ['ol', 'ul'],
    source: ['picture'],
    summary: ['details'],
    tbody: ['table'],
    td: ['table'],
    tfoot: ['table'],
    th: ['table'],
    thead: ['table'],
    tr: ['table'],
  },
  protocols: { href: ['http', 'https', 'mailto'], src: [] },
  strip: [
    ...['script', 'style', 'template', 'svg', 'math', 'iframe', 'object', 'embed', 'applet', 'frameset'],
    ...['noscript', 'noembed', 'noframes', 'xmp', 'plaintext', 'textarea', 'select', 'title', 'head'],
  ],
  clobber: [],
  clobberPrefix: '',
};
