import { Link } from 'react-router';
import type { DocumentData } from '../document.ts';
import type { LanguageLink } from '../page-addresses.ts';
import { useLocale, useTranslate } from '../texts.tsx';
import { Mark } from '../ui/icon.tsx';
import { SiteAnchor } from './header.tsx';

type FooterProps = Pick<DocumentData, 'domain' | 'year' | 'footer'> & {
  languages: readonly LanguageLink[];
};

/** The end of every page. */
export function Footer({ domain, year, footer, languages }: FooterProps) {
  const t = useTranslate();
  const locale = useLocale();
  return (
    <footer className="footer">
      <div className="container footer-content">
        <div className="footer-about">
          <p className="logo">
            <Mark />
            <bdi>{domain}</bdi>
          </p>
          <p>{t('footer.independent', { domain })}</p>
        </div>
        {footer.map((column) => (
          <nav key={column.title} aria-label={column.title}>
            <h2>{column.title}</h2>
            <ul>
              {column.links.map((link) => (
                <li key={link.href}>
                  <SiteAnchor link={link} />
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <nav aria-label={t('footer.languages')}>
          <h2>{t('footer.languages')}</h2>
          <ul>
            {languages
              .filter((language) => language.locale !== locale)
              .map((language) => (
                <li key={language.locale}>
                  <Link to={language.href} lang={language.lang} hrefLang={language.hreflang}>
                    {language.name}
                  </Link>
                </li>
              ))}
          </ul>
        </nav>
        <p className="footer-copyright">{t('footer.copyright', { domain, year: String(year) })}</p>
      </div>
    </footer>
  );
}
