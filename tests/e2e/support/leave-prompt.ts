import type { Page } from '@playwright/test'
import { expect } from './test-app.ts'

/** The question that is asked before the user leaves a form with unsaved changes. */
export const leavePrompt = (page: Page) => page.getByRole('alertdialog', { name: 'Discard unsaved changes?' })

export async function answerLeavePrompt(page: Page, answer: 'Keep editing' | 'Discard'): Promise<void> {
  await leavePrompt(page).getByRole('button', { name: answer }).click()
  await expect(leavePrompt(page)).toHaveCount(0)
}
