import { chooseTheme, type Theme, useTheme } from '../browser/theme.ts';
import { useTranslate } from '../texts.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';

const choices: readonly { readonly theme: Theme; readonly icon: IconName }[] = [
  { theme: 'system', icon: 'device' },
  { theme: 'light', icon: 'sun' },
  { theme: 'dark', icon: 'moon' },
];

/**
 * Light, dark, or as the device has it. Needs scripts, and is not shown without them.
 * @param name tells the buttons of two such choices on a page apart
 */
export function ThemeChoice({ name }: { name: string }) {
  const t = useTranslate();
  const theme = useTheme();
  return (
    <fieldset className="theme-choice">
      <legend className="visually-hidden">{t('theme.label')}</legend>
      {choices.map((choice) => (
        <label key={choice.theme} title={t(`theme.${choice.theme}`)}>
          <input
            type="radio"
            name={name}
            checked={theme === choice.theme}
            onChange={() => chooseTheme(choice.theme)}
          />
          <Icon name={choice.icon} />
          <span className="visually-hidden">{t(`theme.${choice.theme}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}
