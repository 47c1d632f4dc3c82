import assert from "node:assert/strict";
import { SmtpMailer } from "../../api/alerts/smtp_mailer.ts";
import { sleep } from "../../pipeline/retry.ts";
import { startServer } from "../api/alerts/smtp_server.ts";
import { hasChromium, startChromium } from "./chromium.ts";
import { BULK_STEPS } from "./bulk.ts";
import { runSteps, type Steps } from "./drive.ts";
import { PAGE_STEPS } from "./pages.ts";
import { SEARCH_STEPS } from "./search.ts";
import { TASK_STEPS } from "./tasks.ts";
import { startSite, withSample } from "../site/service.ts";

const ALERT_STEPS: Steps = {
  async "a person signs up for alerts and confirms, by keyboard only"({ open, mails }) {
    const page = await open("/alerts?dot=286764");
    await page.locator("#dot").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.type("some.body+alerts@mail.example");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
    for (let n = 0; n < 500 && mails.length < 1; n++) await sleep(10);
    const link = /http:\S+\/alerts\/confirm\/\S+/.exec(mails[0]!.mail.text!)![0];
    await page.goto(link);
    await page.getByRole("button", { name: "Yes, send me alerts" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "You get email alerts on USDOT 286764" }).waitFor();
  },

  async "a carrier is watched from its page by mouse, without scripts"({ open }) {
    const page = await open("/carriers/90010002", { javaScriptEnabled: false });
    await page.getByRole("link", { name: "Watch" }).click();
    await page.getByText("For INACTIVE PLAIN FREIGHT LLC").waitFor();
    await page.getByLabel("Your email address").fill("some.body@mail.example");
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
    await page.getByText("INACTIVE PLAIN FREIGHT LLC").waitFor();
  },
};

Deno.test({
  name: "the site in Chromium",
  ignore: !hasChromium(),
  async fn(t) {
    const server = await startServer();
    const from = { name: "", address: "alerts@carriers.example" };
    const mailer = new SmtpMailer({ url: `smtp://127.0.0.1:${server.port}`, from });
    const browser = await startChromium(["--enable-features=WebMCP"]);
    try {
      await withSample(async (folder) => {
        await using site = startSite(folder, { mailer, proxyHops: 1 });
        const { address, logged } = site;
        const steps = {
          ...PAGE_STEPS,
          ...SEARCH_STEPS,
          ...BULK_STEPS,
          ...TASK_STEPS,
          ...ALERT_STEPS,
        };
        await runSteps(t, steps, { address, browser, folder, mails: server.taken });
        for (const line of logged) assert.match(line, /^Emails: \d sent$/);
      });
    } finally {
      await browser.close();
      await mailer.close();
      await server.close();
    }
  },
});
