import { Link, useNavigation } from 'react-router';
import { type Locale, languages, localeFor } from '../../../i18n/languages.ts';
import type { LanguageLink } from '../../addressing/page-addresses.ts';
import { chooseTheme, type Theme, useTheme } from '../../browser/device/theme.ts';
import { useMounted } from '../../browser/mounted.ts';
import type { DocumentData, SiteLink } from '../../document/document-data.ts';
import { useLocale, useTranslate } from '../../translation.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { LanguageAnchor, SiteAnchor } from '../links.tsx';
import { Popup } from '../popup.tsx';
import { SiteMark } from '../site-mark.tsx';

/** A line along the top while a page loads. Fast pages never show it: its style waits 200 ms. */
export function NavigationProgress() {
  const t = useTranslate();
  if (useNavigation().state !== 'loading') return null;
  return <div className="navigation-progress" role="progressbar" aria-label={t('loading')} />;
}

/** The site's languages that the visitor reads, by the browser's preferences. */
function readLanguages(): (Locale | undefined)[] {
  return navigator.languages.map((tag) => localeFor(tag.toLowerCase()));
}

/**
 * The languages of a page, those likely for this visitor first: the present one, the browser's, then the others in
 * order. Pages are the same for all visitors, so the browser sorts them after hydration.
 */
function useLikelyFirst(languages: readonly LanguageLink[]): readonly LanguageLink[] {
  const isMounted = useMounted();
  if (!isMounted) return languages;
  const [present, ...others] = languages;
  const read = readLanguages();
  const rank = ({ locale }: LanguageLink) => {
    const at = read.indexOf(locale);
    return at === -1 ? read.length : at;
  };
  return present === undefined
    ? others
    : [present, ...others.toSorted((one, other) => rank(one) - rank(other))];
}

/** The top of every page: one menu on wide screens, the same behind a button on phones. */
export function Header({ page }: { page: DocumentData }) {
  const { name, homePath, menu, posts, addresses } = page;
  const t = useTranslate();
  return (
    <header className="header">
      <div className="container header-content">
        <Link
          className="logo"
          to={homePath}
          aria-label={t('home', { domain: name })}
          aria-current={addresses.canonical === homePath ? 'page' : undefined}
        >
          <SiteMark page={page} />
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
    </header>
  );
}

function Languages({ addresses }: Pick<DocumentData, 'addresses'>) {
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

/** A menu item and the pages below it. */
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

const icons: Readonly<Record<Theme, IconName>> = { system: 'device', light: 'sun', dark: 'moon' };
const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** A menu of the themes: light, dark, or the device's. Hidden without scripts. */
function ThemeMenu() {
  const t = useTranslate();
  const theme = useTheme();
  return (
    <Popup
      className="theme-menu"
      group="header"
      label={t('theme.present', { theme: t(`theme.${theme}`) })}
      summary={<Icon name={icons[theme]} />}
    >
      <ThemeChoices />
    </Popup>
  );
}

/** The same choices as a list, for a menu that is open already. */
function ThemeChoices() {
  const t = useTranslate();
  const theme = useTheme();
  return (
    <ul className="theme-choices">
      {themes.map((one) => (
        <li key={one}>
          <button type="button" aria-pressed={one === theme} onClick={() => chooseTheme(one)}>
            <Icon name={icons[one]} />
            {t(`theme.${one}`)}
          </button>
        </li>
      ))}
    </ul>
  );
}
