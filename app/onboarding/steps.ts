/** Titles: part-2, "Onboarding wizard". */
export const steps = [
  {
    title: 'Welcome & Profile Setup',
    text: 'Tell clients who you are. You can change all of it later, in Settings.',
  },
  {
    title: 'Calendar Integration',
    text: 'See your sessions in the calendar that you already use.',
  },
  {
    title: 'Payment Setup',
    text: 'Decide how clients pay you. The money goes to your own account.',
  },
  {
    title: 'Branding & Customization',
    text: 'Your clients see this. The preview follows as you choose.',
  },
] as const

export const stepNumbers = [1, 2, 3, 4] as const
export type StepNumber = (typeof stepNumbers)[number]

/** So many completed steps are enough to finish. Source: part-2 §9. */
export const requiredSteps = 3

export const isStepNumber = (value: number): value is StepNumber => stepNumbers.some((step) => step === value)

export const countDone = (done: boolean[]): number => done.filter(Boolean).length
