import { Icon } from '../../ui/icon.tsx';
import { categoryIcons } from './cards.ts';

/**
 * A drawn category: the site's ferry with the category's sign on board. For articles without a cover, and above a
 * category's list.
 * @param place position among the top categories, which determines colour and icon
 */
export function CategorySign({ place }: { place: number }) {
  return (
    <div className={`category-sign category-sign-${place % 3}`}>
      <svg viewBox="0 0 480 240" preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false">
        <circle className="category-sun" cx="352" cy="76" r="34" />
        <path
          className="category-swell"
          d="M-24 184c14-7 28-7 42 0s28 7 42 0 28-7 42 0 28 7 42 0 28-7 42 0 28 7 42 0 28-7 42 0 28 7 42 0 28-7 42 0 28 7 42 0 28-7 42 0 28 7 42 0V240H-24z"
        />
        <path className="category-hull" d="M134 166h212c-4 17-12 28-24 36H158c-12-8-20-19-24-36z" />
        <path className="category-stripe" d="M137 175h206l-2.500 6.500H139.500z" />
        <path
          className="category-water"
          d="M-60 200c14-7 28-7 42 0s28 7 42 0 28-7 42 0 28 7 42 0 28-7 42 0 28 7 42 0 28-7 42 0 28 7 42 0 28-7 42 0 28 7 42 0 28-7 42 0 28 7 42 0V240H-60z"
        />
      </svg>
      <Icon name={categoryIcons[place % categoryIcons.length] ?? 'globe'} />
    </div>
  );
}
