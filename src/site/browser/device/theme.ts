import { useSyncExternalStore } from 'react';
import { writeStored } from './device-storage.ts';

/** The visitor's choice; `system` follows the device. */
export type Theme = 'system' | 'light' | 'dark';

const storageName = 'theme';
const changed = 'theme-changed';

/**
 * Applies a stored choice before the first paint. Runs as a self-contained script in the document's head; the colours
 * follow `data-theme` in tokens.css.
 */
export const themeScript = `try{var t=localStorage.getItem('${storageName}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`;

function present(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Changes the colours at once and stores the choice on the device. */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  writeStored(storageName, theme === 'system' ? null : theme);
  dispatchEvent(new Event(changed));
}

function subscribe(listener: () => void): () => void {
  const other = ({ key, newValue }: StorageEvent) => {
    if (key !== storageName) return;
    chooseTheme(newValue === 'light' || newValue === 'dark' ? newValue : 'system');
  };
  addEventListener(changed, listener);
  addEventListener('storage', other);
  return () => {
    removeEventListener(changed, listener);
    removeEventListener('storage', other);
  };
}

/** The present choice; `system` on the server. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, present, () => 'system');
}
