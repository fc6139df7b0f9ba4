// Made by `npm run check:messages -- --write` from the English catalogues.

type Text = string | number;

/** Stands for a function that gets what is inside a tag. */
export interface Tag {
  readonly tag: unique symbol;
}

/** The English files, from which the compiler takes the keys. */
export interface Catalogues {
  api: typeof import('./locales/en/api.json');
  cards: typeof import('./locales/en/cards.json');
  common: typeof import('./locales/en/common.json');
  consent: typeof import('./locales/en/consent.json');
  contact: typeof import('./locales/en/contact.json');
  cookies: typeof import('./locales/en/cookies.json');
  cut: typeof import('./locales/en/cut.json');
  'desktop-app': typeof import('./locales/en/desktop-app.json');
  'device-media': typeof import('./locales/en/device-media.json');
  dmca: typeof import('./locales/en/dmca.json');
  'download-mp3-tiktok': typeof import('./locales/en/download-mp3-tiktok.json');
  errors: typeof import('./locales/en/errors.json');
  forms: typeof import('./locales/en/forms.json');
  home: typeof import('./locales/en/home.json');
  landing: typeof import('./locales/en/landing.json');
  legal: typeof import('./locales/en/legal.json');
  mail: typeof import('./locales/en/mail.json');
  'many-posts': typeof import('./locales/en/many-posts.json');
  offline: typeof import('./locales/en/offline.json');
  'other-format': typeof import('./locales/en/other-format.json');
  pagelink: typeof import('./locales/en/pagelink.json');
  'post-details': typeof import('./locales/en/post-details.json');
  posts: typeof import('./locales/en/posts.json');
  preview: typeof import('./locales/en/preview.json');
  promotion: typeof import('./locales/en/promotion.json');
  push: typeof import('./locales/en/push.json');
  'save-file': typeof import('./locales/en/save-file.json');
  'several-links': typeof import('./locales/en/several-links.json');
  share: typeof import('./locales/en/share.json');
  status: typeof import('./locales/en/status.json');
  'tiktok-downloader': typeof import('./locales/en/tiktok-downloader.json');
  'tiktok-video-downloader': typeof import('./locales/en/tiktok-video-downloader.json');
  tool: typeof import('./locales/en/tool.json');
}

/** The values of each message that takes some, by catalogue page and key. */
export interface MessageValues {
  cards: {
    'cards.install.title': { name: Text };
  };
  common: {
    home: { domain: Text };
    'language.choose': { language: Text };
    'theme.present': { theme: Text };
    'footer.independent': { domain: Text };
    'footer.copyright': { year: Text; domain: Text };
    'error.request': { id: Text };
    'error.unknown-step': { name: Text };
  };
  'desktop-app': {
    'app.title': { name: Text };
    'app.download': { system: Text };
    'app.leads': { host: Text };
    'app.more': { name: Text };
  };
  'device-media': {
    'device.becomes': { from: number; to: number };
    'device.fits': { size: Text };
  };
  forms: {
    'fault.short': { least: number };
    'fault.long': { most: number; count: number };
    'faults.title': { count: number };
    'sent.text': { number: Text };
  };
  legal: {
    updated: { date: Text };
  };
  mail: {
    'acknowledgement.subject': { number: Text };
    'acknowledgement.thanks': { name: Text };
    'acknowledgement.number': { number: Text };
  };
  'many-posts': {
    'choose.posts': { count: number };
    'choose.doubles': { count: number };
    'choose.others': { count: number };
    'choose.most': { most: number };
    'start.time': { time: Text };
    start: { count: number };
    'run.count': { done: number; count: number };
    'run.left': { time: Text };
    'run.saved': { count: number };
    'run.failed': { count: number };
    'run.skipped': { count: number };
    'run.retry': { count: number };
    'run.goes-on': { time: Text };
    'run.zip-again': { name: Text };
    'names.example': { name: Text };
  };
  'post-details': {
    'details.author': { name: Text };
    'details.fps': { fps: Text };
  };
  posts: {
    'category.head.title': { category: Text };
    'category.head.description': { category: Text; domain: Text };
    'category.head.keywords': { category: Text };
    'category.1.head.title': { category: Text };
    'category.2.head.title': { category: Text };
    'category.3.head.title': { category: Text };
    'category.count': { count: number };
    'page.title': { title: Text; page: Text };
    'pages.number': { page: Text };
    'article.by': { author: Text };
    'article.updated': { date: Text };
    'article.minutes': { minutes: number };
    'author.head.title': { author: Text };
    'author.head.description': { author: Text; domain: Text };
    'author.head.keywords': { author: Text };
    'author.articles': { author: Text };
    'feed.title': { domain: Text };
  };
  'save-file': {
    'save.pictures': { count: number };
  };
  'several-links': {
    'list.found': { found: Text; count: Text };
    'list.videos': { count: number };
    'list.photos': { count: number };
    'list.sounds': { count: number };
    'list.more': { count: Text };
    'list.menu': { title: Text };
  };
  share: {
    'share.on': { network: Text };
  };
  status: {
    share: { share: Text };
    checked: { time: Text };
    'incident.lasts': { time: Text };
    'incident.ended': { from: Text; to: Text };
  };
  tool: {
    'link.quicker': { domain: Text };
    'status.ready': { title: Text };
    'result.untitled': { author: Text };
    'result.sound': { title: Text; artist: Text };
    'option.jpg': { number: Text };
    'option.motion': { number: Text };
    'option.as-it-is': { format: Text };
    'start.question': { name: Text };
    'photos.title': { count: number };
    'photos.some': { shown: Text; count: Text };
    'photos.select': { number: Text };
    'photos.more': { count: Text };
    'photos.selected': { count: number };
    'conversion.waiting': { ahead: number };
    'conversion.label': { format: Text };
    'conversion.missing-photos': { count: number };
    'failure.retry-in': { seconds: number };
    'recent.remove': { title: Text };
    'recent.removed': { title: Text };
  };
}
