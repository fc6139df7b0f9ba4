import { Link, useLocation } from 'react-router';
import type { DocumentData, SiteLink } from '../document.ts';
import type { LanguageLink } from '../page-addresses.ts';
import { useLocale, useTranslate } from '../texts.tsx';
import { Icon, Mark } from '../ui/icon.tsx';

type HeaderProps = Pick<DocumentData, 'domain' | 'homePath' | 'menu'> & {
  languages: readonly LanguageLink[];
};

/** The top of every page. Its menus are native disclosures: they open without scripts and by keyboard. */
export function Header({ domain, homePath, menu, languages }: HeaderProps) {
  const t = useTranslate();
  const locale = useLocale();
  // A new page starts with its menus closed.
  const { key } = useLocation();
  const present = languages.find((language) => language.locale === locale);
  return (
    <header className="header">
      <div className="container header-content">
        <Link className="logo" to={homePath} aria-label={t('home', { domain })}>
          <Mark />
          <bdi>{domain}</bdi>
        </Link>
        <nav className="header-menu" aria-label={t('menu.label')}>
          <MenuLinks links={menu} />
        </nav>
        <details className="popup header-languages" name="header" key={`languages ${key}`}>
          <summary aria-label={t('language.choose', { language: present?.name ?? locale })}>
            <Icon name="globe" />
            <span lang={present?.lang}>{present?.name}</span>
            <Icon name="chevron" />
          </summary>
          <ul>
            {languages.map((language) => (
              <li key={language.locale}>
                <Link
                  to={language.href}
                  lang={language.lang}
                  hrefLang={language.hreflang}
                  aria-current={language.locale === locale ? 'true' : undefined}
                >
                  {language.name}
                  {language.locale === locale && <Icon name="check" />}
                </Link>
              </li>
            ))}
          </ul>
        </details>
        <details className="popup header-drawer" name="header" key={`menu ${key}`}>
          <summary aria-label={t('menu.open')}>
            <Icon name="menu" />
          </summary>
          <nav aria-label={t('menu.label')}>
            <MenuLinks links={menu} />
          </nav>
        </details>
      </div>
    </header>
  );
}

function MenuLinks({ links }: { links: readonly SiteLink[] }) {
  return (
    <ul>
      {links.map((link) => (
        <li key={link.href}>
          <SiteAnchor link={link} />
          {link.children.length > 0 && <MenuLinks links={link.children} />}
        </li>
      ))}
    </ul>
  );
}

/** A configured link: inside the site without loading a whole page, outside it as it is. */
export function SiteAnchor({ link }: { link: SiteLink }) {
  const target = link.newTab ? { target: '_blank', rel: 'noopener' } : {};
  if (!link.href.startsWith('/')) {
    return (
      <a href={link.href} {...target}>
        {link.text}
      </a>
    );
  }
  return (
    <Link to={link.href} aria-current={link.present ? 'page' : undefined} {...target}>
      {link.text}
    </Link>
  );
}
