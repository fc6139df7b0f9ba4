import { chooseTheme, type Theme, useTheme } from '../../browser/device/theme.ts';
import { useTranslate } from '../../translation.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Popup } from '../popup.tsx';

const icons: Readonly<Record<Theme, IconName>> = { system: 'device', light: 'sun', dark: 'moon' };
const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** A menu of the themes: light, dark, or the device's. Hidden without scripts. */
export function ThemeMenu() {
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
export function ThemeChoices() {
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
