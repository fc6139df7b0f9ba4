import { createContext, type ReactNode, useContext, useState } from 'react';
import { inLanguage } from '../../../site/browser/downloads/file-requests.ts';
import { useLocale, useTranslate } from '../../../site/translation.tsx';
import { Icon } from '../../../site/ui/icon.tsx';

/** Says a text to screen readers. */
export const Announce = createContext<(text: string) => void>(() => {});

interface FileLinkProps {
  href: string;
  className?: string;
  label?: string;
  children: ReactNode;
}

/** A link to a file of the post. A press is answered by a sign on it, and announced: the browser saves it by itself. */
export function FileLink({ href, className, label, children }: FileLinkProps) {
  const t = useTranslate();
  const locale = useLocale();
  const announce = useContext(Announce);
  const [isPressed, setPressed] = useState(false);
  return (
    <a
      href={inLanguage(href, locale)}
      className={className}
      aria-label={label}
      onClick={() => {
        setPressed(true);
        announce(t('option.started'));
      }}
    >
      {children}
      {isPressed && <Icon name="check" className="details-pressed" />}
    </a>
  );
}
