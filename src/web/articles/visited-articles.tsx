import { Link } from 'react-router';
import { useVisitedArticles } from '../browser/device/visited-articles.ts';

/** The articles that were opened last on this device; nothing before there are any, and nothing without scripts. */
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
