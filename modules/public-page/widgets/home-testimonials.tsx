import type { ShownTestimonial } from '../queries/testimonials.ts'

export default function HomeTestimonials({ data: testimonials }: { data: ShownTestimonial[] }) {
  return (
    <section aria-label="Testimonials" className="border-t border-line py-10">
      <h2 className="font-serif text-3xl">What clients say</h2>
      <ul className="mt-6 gap-x-8 sm:columns-2">
        {testimonials.map(({ id, quote, name, role }) => (
          <li key={id} className="break-inside-avoid pb-8">
            <figure>
              <blockquote className="prose-serif whitespace-pre-line wrap-anywhere">“{quote}”</blockquote>
              <figcaption className="mt-3 wrap-anywhere">
                <span className="font-semibold">{name}</span>
                {role && <span className="block text-ink-3">{role}</span>}
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </section>
  )
}
