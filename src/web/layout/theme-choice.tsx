import { useState } from 'react';
import { chooseTheme, type Theme, useTheme } from '../browser/theme.ts';
import { useTranslate } from '../translation.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';

const icons: Readonly<Record<Theme, IconName>> = { system: 'device', light: 'sun', dark: 'moon' };
const following: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

/**
 * Light, dark, or as the device has it: one button that goes from one to the next. Its name says which it is and which
 * comes next. Needs scripts, and is not shown without them.
 * @param isNamed whether the present choice stands beside the picture
 */
export function ThemeChoice({ isNamed = false }: { isNamed?: boolean }) {
  const t = useTranslate();
  const theme = useTheme();
  const [announcement, announce] = useState('');
  const nameOf = (one: Theme) => t(`theme.${one}`);
  const present = t('theme.present', { theme: nameOf(theme) });
  const label = `${present}. ${t('theme.next', { theme: nameOf(following[theme]) })}`;
  const change = () => {
    chooseTheme(following[theme]);
    announce(t('theme.present', { theme: nameOf(following[theme]) }));
  };
  return (
    <>
      <button type="button" className="theme-choice" aria-label={label} title={label} onClick={change}>
        <Icon name={icons[theme]} />
        {isNamed && present}
      </button>
      <span className="visually-hidden" role="status">
        {announcement}
      </span>
    </>
  );
}
