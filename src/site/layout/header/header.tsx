import { Link } from 'react-router';
import { languages } from '../../../i18n/languages.ts';
import type { DocumentData, SiteLink } from '../../document/document-data.ts';
import { useLocale, useTranslate } from '../../translation.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LanguageAnchor } from '../language-link.tsx';
import { Popup } from '../popup.tsx';
import { SiteAnchor } from '../site-anchor.tsx';
import { SiteMark } from '../site-mark.tsx';
import { SiteName } from '../site-name.tsx';
import { useLikelyFirst } from './likely-languages.ts';
import { ThemeChoices, ThemeMenu } from './theme-choice.tsx';

type HeaderProps = Pick<DocumentData, 'name' | 'logo' | 'homePath' | 'menu' | 'posts' | 'addresses'>;

/** The top of every page: one menu on wide screens, the same behind a button on phones. */
export function Header({ page }: { page: DocumentData }) {
  return (
    <header className="header">
      <HeaderContent {...page} />
    </header>
  );
}

function HeaderContent({ name, logo, homePath, menu, posts, addresses }: HeaderProps) {
  const t = useTranslate();
  return (
    <div className="container header-content">
      <Link
        className="logo"
        to={homePath}
        aria-label={t('home', { domain: name })}
        aria-current={addresses.canonical === homePath ? 'page' : undefined}
      >
        <SiteMark logo={logo} />
        <SiteName name={name} />
      </Link>
      <nav className="header-menu" aria-label={t('menu.label')}>
        <ul>
          {menu.map((link) => (
            <li key={link.href}>
              {link.children.length === 0 ? (
                <SiteAnchor link={link} />
              ) : (
                <Popup
                  className={link.present ? 'popup-present' : ''}
                  group="header"
                  opensOnHover
                  summary={
                    <>
                      {link.text}
                      <Icon name="chevron" className="popup-arrow" />
                    </>
                  }
                >
                  <Submenu link={link} />
                </Popup>
              )}
            </li>
          ))}
          {posts !== null && (
            <li className="header-posts">
              <SiteAnchor link={posts} />
            </li>
          )}
        </ul>
      </nav>
      <Languages addresses={addresses} />
      <ThemeMenu />
      <Popup className="header-drawer" group="header" label={t('menu.open')} summary={<Icon name="menu" />}>
        <nav aria-label={t('menu.open')}>
          <ul>
            {menu.map((link) => (
              <li key={link.href}>
                {link.children.length === 0 ? (
                  <SiteAnchor link={link} />
                ) : (
                  // Opens one submenu at a time: opening another closes it, and so does a second click on its own
                  // button.
                  <details className="drawer-submenu" name="drawer">
                    <summary>
                      {link.text}
                      <Icon name="chevron" className="popup-arrow" />
                    </summary>
                    <Submenu link={link} />
                  </details>
                )}
              </li>
            ))}
            {posts !== null && (
              <li>
                <SiteAnchor link={posts} />
              </li>
            )}
          </ul>
        </nav>
        <ThemeChoices />
      </Popup>
    </div>
  );
}

function Languages({ addresses }: Pick<HeaderProps, 'addresses'>) {
  const t = useTranslate();
  const locale = useLocale();
  const { lang, name } = languages[locale];
  return (
    <Popup
      className="header-languages"
      group="header"
      label={t('language.choose', { language: name })}
      summary={
        <>
          <Icon name="globe" />
          <span lang={lang}>{name}</span>
          <Icon name="chevron" className="popup-arrow" />
        </>
      }
    >
      <ul>
        {useLikelyFirst(addresses.languages).map((language) => (
          <li key={language.locale}>
            <LanguageAnchor language={language} present={language.locale === locale} />
          </li>
        ))}
      </ul>
    </Popup>
  );
}

/** The page of an item that has others below it, and those. */
function Submenu({ link }: { link: SiteLink }) {
  return (
    <ul>
      <li>
        <SiteAnchor link={{ ...link, children: [] }} />
      </li>
      {link.children.map((child) => (
        <li key={child.href}>
          <SiteAnchor link={child} />
        </li>
      ))}
    </ul>
  );
}
