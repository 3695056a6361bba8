import { sameOriginPath } from '../../api/public.ts';
import { briefPictures } from '../../messages/public.ts';

type Picture = { id: string; image_url: string; thumbnail_url: string };

/** The reference pictures of a published brief. */
export function BriefPictures({ pictures }: { pictures: Picture[] }) {
  if (pictures.length === 0) return null;
  return (
    <div className="stack">
      <h3 className="sub">{briefPictures.title}</h3>
      <ul className="tiles thumbnails">
        {pictures.map(({ id, image_url: image, thumbnail_url: thumbnail }, index) => (
          <li key={id}>
            <a href={sameOriginPath(image)} target="_blank" rel="noreferrer">
              <img
                className="picture"
                src={sameOriginPath(thumbnail)}
                alt={briefPictures.open({ number: index + 1 })}
                width={200}
                height={200}
                loading="lazy"
              />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
