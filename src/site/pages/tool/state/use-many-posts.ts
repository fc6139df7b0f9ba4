import { useNavigate } from 'react-router';
import { loadLate } from '../../../browser/navigation/route-modules.ts';
import { useDocument } from '../../../document/document-context.tsx';

/**
 * Opens the page for many posts with what was given.
 * @returns false where there is no such page; for texts, also where there is no room on the device
 */
export type OpenManyPosts = (given: readonly (Blob | string)[]) => Promise<boolean>;

export function useManyPosts(): OpenManyPosts {
  const { manyPostsPath } = useDocument();
  const navigate = useNavigate();
  return async (given) => {
    if (manyPostsPath === null) return false;
    const load = () => import('../../../browser/device/many-posts.ts');
    const isHanded = await loadLate('hand over', load, manyPostsPath).then(
      ({ handToManyPosts }) => handToManyPosts(given),
      () => false,
    );
    // When it has no files, the page asks for them itself.
    const isOpened = isHanded || given.some((one) => typeof one !== 'string');
    if (isOpened) void navigate(manyPostsPath);
    return isOpened;
  };
}
