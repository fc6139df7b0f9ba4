import { chooseTheme, type Theme, useTheme } from '../../browser/device/theme.ts';
import { useTranslate } from '../../translation.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Popup } from '../popup.tsx';

const icons: Readonly<Record<Theme, IconName>> = { system: 'device', light: 'sun', dark: 'moon' };
const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** Light, dark, or as the device has it: a menu of the three. Needs scripts, and is not shown without them. */
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

/** The three in a list, for a menu that is open already. */
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
