import { Link } from 'react-router';
import { useVisitedArticles } from '../browser/device/visited-articles.ts';

/** The articles opened last on this device; nothing when there are none, or without scripts. */
export function VisitedArticles(props: { title: string; note: string; except?: string }) {
  const articles = useVisitedArticles().filter(({ href }) => href !== props.except);
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
