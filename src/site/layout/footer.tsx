import type { DocumentData, SiteLink } from '../document/document-data.ts';
import { useLocale, useTranslate } from '../translation.tsx';
import { Icon } from '../ui/icon.tsx';
import { LayoutParts } from './layout-parts.tsx';
import { LanguageAnchor, SiteAnchor } from './links.tsx';
import { Popup } from './popup.tsx';
import { SiteMark } from './site-mark.tsx';

/** Whether a list of links contains one that is in none of the columns. */
const hasMoreThan = (links: readonly SiteLink[], columns: DocumentData['footer']) => {
  const shown = new Set(columns.flatMap((column) => column.links.map(({ href }) => href)));
  return links.some(({ href }) => !shown.has(href));
};

/** The end of every page. */
export function Footer({ page }: { page: DocumentData }) {
  const { name, years, footer, tools, addresses, sourceUrl } = page;
  const t = useTranslate();
  const locale = useLocale();
  return (
    <footer id="site-footer" className="footer">
      <div className="container footer-content">
        <div className="footer-top">
          <p className="logo">
            <SiteMark page={page} />
          </p>
          {hasMoreThan(tools, footer) && (
            <Popup
              className="footer-tools"
              group="footer"
              opensOnHover
              opensOnFocus
              summary={
                <>
                  {t('footer.all-tools')}
                  <Icon name="chevron" className="popup-arrow" />
                </>
              }
            >
              <ul>
                {tools.map((link) => (
                  <li key={link.href}>
                    <SiteAnchor link={link}>
                      <bdi className="footer-formats" dir="ltr">
                        {link.formats}
                      </bdi>
                    </SiteAnchor>
                  </li>
                ))}
              </ul>
            </Popup>
          )}
        </div>
        <p className="footer-about">{t('footer.independent', { domain: name })}</p>
        <div className="footer-columns">
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
        </div>
        <nav className="footer-languages" aria-label={t('footer.languages')}>
          <h2>{t('footer.languages')}</h2>
          <ul>
            {addresses.languages
              .filter((language) => language.locale !== locale)
              .map((language) => (
                <li key={language.locale}>
                  <LanguageAnchor language={language} present={false} />
                </li>
              ))}
          </ul>
        </nav>
        <p className="footer-copyright">
          <span>{t('footer.copyright', { domain: name, year: years })}</span>
          <LayoutParts place="footer-line" page={page} />
          {sourceUrl !== null && <a href={sourceUrl}>{t('footer.source')}</a>}
        </p>
        <LayoutParts place="footer-end" page={page} />
      </div>
    </footer>
  );
}
