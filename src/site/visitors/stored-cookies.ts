/** The value of a cookie readable by scripts; null for none. */
export function cookieValue(name: string): string | null {
  const found = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? null;
}

/** The decoded text of a percent-encoded cookie; empty when it is missing or malformed. */
export function cookieText(name: string): string {
  try {
    return decodeURIComponent(cookieValue(name) ?? '');
  } catch {
    // Malformed encoding: not a cookie of ours.
    return '';
  }
}

/** Writes a cookie for the whole site. @param lifeS seconds; 0 deletes it, null makes it a session cookie */
export function storeCookie(name: string, value: string, lifeS: number | null): void {
  const life = lifeS === null ? '' : `; Max-Age=${lifeS}`;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser, and answers later
  document.cookie = `${name}=${value}${life}; Path=/; SameSite=Lax${secure}`;
}
