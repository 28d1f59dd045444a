import { ContactForm, emptyFields } from '../components/contact-form.tsx'
import type { HomeContact } from '../contributions.ts'

export default function HomeContactForm({ data: { signature } }: { data: HomeContact }) {
  return (
    <section
      id="contact"
      aria-label="Contact"
      className="grid gap-x-14 gap-y-6 border-t border-line py-10 lg:grid-cols-2"
    >
      <div>
        <h2 className="font-serif text-3xl">Contact</h2>
        <p className="mt-3 text-ink-2">Do you have a question? Send a message, and you will get an answer by email.</p>
      </div>
      <ContactForm fields={emptyFields} signature={signature} />
    </section>
  )
}
