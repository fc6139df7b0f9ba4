import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { type Locale, languages } from '../../i18n/languages.ts';
import type { LanguageLink } from '../addressing/page-addresses.ts';
import { usePrefetch } from '../browser/navigation/prefetch.ts';
import { onPlainClick } from '../browser/plain-click.ts';
import type { SiteLink } from '../document/document-data.ts';
import { Icon } from '../ui/icon.tsx';

/**
 * A configured link: client-side navigation inside the site, a plain link outside it.
 * @param props.children appended to its text
 */
export function SiteAnchor({ link, children }: { link: SiteLink; children?: ReactNode }) {
  const prefetch = usePrefetch();
  const { href, text, present, newTab, attributes } = link;
  const target = newTab ? { target: '_blank', rel: 'noopener' } : {};
  const isFile = /\.[a-z]+$/.test(href);
  if (!href.startsWith('/') || isFile) {
    return (
      <a href={href} {...attributes} {...target}>
        {text}
        {children}
      </a>
    );
  }
  return (
    <Link
      to={href}
      {...attributes}
      {...target}
      aria-current={present ? 'page' : undefined}
      // Not prefetched when it carries a post's link: the server would look that post up.
      prefetch={newTab || href.includes('?') ? 'none' : prefetch}
    >
      {text}
      {children}
    </Link>
  );
}

/**
 * Reports the visitor's chosen language to the server, so that it never redirects them to another one. Without scripts,
 * visitors go through the same address ({@link languageChoiceHref}).
 */
function rememberLanguage(locale: Locale): void {
  navigator.sendBeacon('/cookie_set', new URLSearchParams({ name: 'lang', value: locale }));
}

/** The target of a language link without scripts: it stores the choice and redirects to the page. */
function languageChoiceHref(locale: Locale, href: string): string {
  return `/cookie_set?${new URLSearchParams({ name: 'lang', value: locale, to: href })}`;
}

/** A language of a switcher. It remembers the choice and keeps the page, both also without scripts. */
export function LanguageAnchor({ language, present }: { language: LanguageLink; present: boolean }) {
  const navigate = useNavigate();
  const { locale, href } = language;
  const { lang, hreflang, name } = languages[locale];
  const isHere = href.startsWith('/');
  const change = () => {
    rememberLanguage(locale);
    void navigate(href);
  };
  return (
    <a
      // Another site's address is used directly: ours never redirects to it.
      href={isHere ? languageChoiceHref(locale, href) : href}
      rel="nofollow"
      lang={lang}
      hrefLang={hreflang}
      aria-current={present ? 'true' : undefined}
      onClick={isHere ? onPlainClick(change) : undefined}
    >
      {name}
      {present && <Icon name="check" />}
    </a>
  );
}
