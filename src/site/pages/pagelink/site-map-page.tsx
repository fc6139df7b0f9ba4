import { Link, useLoaderData } from 'react-router';
import { languages } from '../../../i18n/languages.ts';
import { useDocument } from '../../document/document-context.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import type { loader } from './loader.ts';

/** The site map for people. */
export function SiteMapPage() {
  const page = useLoaderData<typeof loader>();
  const { addresses } = useDocument();
  return (
    <ProsePage page={page} className="site-map">
      {page.parts.map((part) => (
        <section key={part.title}>
          <h2>{part.title}</h2>
          <ul>
            {part.links.map(({ href, text }) => (
              <li key={href}>
                <Link to={href}>{text}</Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section>
        <h2>{page.languages}</h2>
        <ul>
          {addresses.languages.map(({ locale, href }) => (
            <li key={locale}>
              <Link to={href} lang={languages[locale].lang} hrefLang={languages[locale].hreflang}>
                {languages[locale].name}
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </ProsePage>
  );
}
