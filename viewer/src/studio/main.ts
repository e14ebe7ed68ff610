// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
import { el } from "../dom";
import { startTheme } from "../theme";
import { Server } from "./server";
import { Studio } from "./studio";

async function main() {
  startTheme();
  try {
    const server = await Server.connect();
    const studio = new Studio(server, await server.model());
    (window as unknown as { tappet: unknown }).tappet = studio;
    await studio.begin();
    document.documentElement.dataset.ready = "";
  } catch (error) {
    document.body.append(el("p", { class: "broken", role: "alert" }, error instanceof Error ? error.message : String(error)));
    throw error;
  }
}

void main();
