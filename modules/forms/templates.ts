import type { Question } from './fields.ts'
import { newQuestion } from './fields.ts'

type Template = { name: string; description: string; questions: Question[] }

const ask = (id: string, kind: Question['kind'], label: string, more: Partial<Question> = {}): Question => ({
  ...newQuestion(kind, id),
  label,
  ...more,
})
const rate = (id: string, label: string): Question =>
  ask(id, 'scale', label, { required: true, min: 1, max: 10, minLabel: 'Not at all', maxLabel: 'Completely' })

/** Forms to begin with, which the coach changes like their own. */
export const templates = {
  intake: {
    name: 'Intake',
    description:
      'These questions prepare our first session. It takes about ten minutes, and you can pause at any time.',
    questions: [
      ask('about', 'section', 'About you'),
      ask('profession', 'short', 'What do you do?', { clientField: 'profession' }),
      ask('location', 'short', 'Where do you live?', { clientField: 'location' }),
      ask('phone', 'short', 'Phone number', { help: 'Only for changes at short notice.', clientField: 'phone' }),
      ask('coached', 'choice', 'Have you worked with a coach before?', { options: ['Yes', 'No'], required: true }),
      ask('before', 'long', 'What helped you then, and what didn’t?', {
        condition: { question: 'coached', test: 'is', value: 'Yes' },
      }),
      ask('aims', 'section', 'What you want to reach'),
      ask('goals', 'long', 'What should be different in six months?', { required: true, clientField: 'futureGoals' }),
      ask('frustrations', 'long', 'What frustrates you at the moment?', { clientField: 'frustrations' }),
      ask('fears', 'long', 'What are you afraid of?', { clientField: 'fears' }),
      ask('failures', 'long', 'What have you tried that didn’t work?', { clientField: 'failures' }),
      ask('readiness', 'scale', 'How ready are you to change something?', {
        required: true,
        minLabel: 'Not yet',
        maxLabel: 'Today',
      }),
    ],
  },
  preparation: {
    name: 'Session preparation',
    description: 'A few minutes before our session.',
    questions: [
      ask('mood', 'scale', 'How are you today?', { required: true, minLabel: 'Not well', maxLabel: 'Very well' }),
      ask('wins', 'long', 'What went well since the last session?'),
      ask('stuck', 'long', 'Where were you stuck?'),
      ask('topic', 'long', 'What do you want to talk about?', { required: true }),
      ask('outcome', 'short', 'What should you know or have at the end?'),
    ],
  },
  feedback: {
    name: 'Feedback',
    description: 'Your answers help me to become better.',
    questions: [
      ask('rating', 'scale', 'How helpful were our sessions?', {
        required: true,
        minLabel: 'Not helpful',
        maxLabel: 'Very helpful',
      }),
      ask('changed', 'choice', 'Has something changed for you?', {
        options: ['Yes', 'A little', 'No'],
        required: true,
      }),
      ask('missing', 'long', 'What was missing?', { condition: { question: 'changed', test: 'is', value: 'No' } }),
      ask('what', 'long', 'What has changed?', { condition: { question: 'changed', test: 'is', value: 'Yes' } }),
      ask('recommend', 'scale', 'How likely are you to recommend me?', { min: 0, max: 10 }),
      ask('quote', 'choice', 'May I quote you?', { options: ['Yes, with my name', 'Yes, without my name', 'No'] }),
    ],
  },
  wheel: {
    name: 'Wheel of life',
    description: 'How satisfied are you with each part of your life, from 1 to 10?',
    questions: [
      rate('work', 'Work and career'),
      rate('money', 'Money'),
      rate('health', 'Health'),
      rate('family', 'Family and friends'),
      rate('love', 'Love'),
      rate('growth', 'Personal growth'),
      rate('leisure', 'Fun and leisure'),
      rate('home', 'Home'),
      ask('first', 'long', 'Which part do you want to work on first, and why?'),
    ],
  },
} as const satisfies Record<string, Template>
export type TemplateName = keyof typeof templates
