import { conditionTests, type Condition, type Question } from './fields.ts'

/** 'Only if “Have you…?” is “Yes”'. */
export function describeCondition({ question, test, value }: Condition, questions: Question[]): string {
  const other = questions.find(({ id }) => id === question)
  return `Only if “${other?.label ?? 'a deleted question'}” ${conditionTests[test]} “${value}”`
}

export const formatCount = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString('en-US')} ${many}`
