import { createDeviceList } from './device-list.ts';

/** An article that was opened on this device. */
export interface VisitedArticle {
  readonly href: string;
  readonly title: string;
  /** For the `lang` attribute: the title's language may differ from the page's. */
  readonly lang: string;
}

const visited = createDeviceList<VisitedArticle>('recent_visits', ['href', 'title', 'lang']);

/** The last five articles, newest first; empty on the server. */
export const useVisitedArticles = visited.useEntries;

/** Puts an article first; only the newest five stay. */
export const rememberArticle = (article: VisitedArticle): void =>
  visited.remember(article, (other) => other.href === article.href);
