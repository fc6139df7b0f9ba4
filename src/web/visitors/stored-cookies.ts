/** The value of a cookie that scripts may read; null for none. */
export function cookieValue(name: string): string | null {
  const found = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? null;
}

/** The text in a cookie that is written percent-encoded; empty for none, and for what somebody else has written there. */
export function cookieText(name: string): string {
  try {
    return decodeURIComponent(cookieValue(name) ?? '');
  } catch {
    // It is not encoded as it should be: none of ours.
    return '';
  }
}

/** Writes a cookie for the whole site. @param lifeS seconds; 0 deletes it, null keeps it while the browser runs */
export function storeCookie(name: string, value: string, lifeS: number | null): void {
  const life = lifeS === null ? '' : `; Max-Age=${lifeS}`;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser, and answers later
  document.cookie = `${name}=${value}${life}; Path=/; SameSite=Lax${secure}`;
}
