import { useNavigation } from 'react-router';
import { useTranslate } from '../translation.tsx';

/** A line along the top while a page loads. Fast pages never show it: its style waits 200 ms. */
export function NavigationProgress() {
  const t = useTranslate();
  if (useNavigation().state !== 'loading') return null;
  return <div className="navigation-progress" role="progressbar" aria-label={t('loading')} />;
}
