import { useRef, useState } from 'react'
import { readSent } from '../answers.ts'
import { findHidden } from '../conditions.ts'
import type { Question } from '../fields.ts'
import { FormQuestions } from './form-questions.tsx'

/** The form as clients see it. Nothing is sent. */
export function Preview({
  name,
  description,
  questions,
}: {
  name: string
  description: string | null
  questions: Question[]
}) {
  const form = useRef<HTMLFormElement>(null)
  const [hidden, setHidden] = useState(() => findHidden(questions, {}))

  function update() {
    if (!form.current) return
    const sent = readSent(questions, new FormData(form.current))
    const answers = Object.fromEntries(
      questions.flatMap(({ id, multiple }) => {
        const texts = sent[id]!
        return texts.length ? [[id, multiple ? texts : texts[0]!]] : []
      }),
    )
    const next = findHidden(questions, answers)
    setHidden((before) => (before.join() === next.join() ? before : next))
  }

  return (
    <form
      ref={form}
      onChange={update}
      onSubmit={(event) => event.preventDefault()}
      className="card mx-auto grid max-w-[44rem] gap-6 p-6 sm:p-8"
      aria-label="Preview"
    >
      <div>
        <h2 className="font-serif text-3xl text-balance wrap-anywhere">{name}</h2>
        {description && <p className="mt-3 text-ink-2 whitespace-pre-line wrap-anywhere">{description}</p>}
      </div>
      <FormQuestions
        questions={questions}
        hidden={hidden}
        renderFile={({ id }) => <input type="file" aria-label="File" className="input" id={`preview-${id}`} />}
      />
    </form>
  )
}
