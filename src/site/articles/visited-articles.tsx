import { Link } from 'react-router';
import { createDeviceList } from '../browser/device/device-list.ts';

/** An article that was opened on this device. */
interface VisitedArticle {
  readonly href: string;
  readonly title: string;
  /** For the `lang` attribute: the title's language may differ from the page's. */
  readonly lang: string;
}

const visited = createDeviceList<VisitedArticle>('recent_visits', ['href', 'title', 'lang']);

/** Puts an article first; only the newest five stay. */
export const rememberArticle = (article: VisitedArticle): void =>
  visited.remember(article, (other) => other.href === article.href);

/** The articles opened last on this device; nothing when there are none, or without scripts. */
export function VisitedArticles(props: { title: string; note: string; except?: string }) {
  const articles = visited.useEntries().filter(({ href }) => href !== props.except);
  if (articles.length === 0) return null;
  return (
    <section className="visited" aria-labelledby="visited">
      <h2 id="visited">{props.title}</h2>
      <ul>
        {articles.map(({ href, title, lang }) => (
          <li key={href}>
            <Link to={href} lang={lang}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
      <p>{props.note}</p>
    </section>
  );
}
