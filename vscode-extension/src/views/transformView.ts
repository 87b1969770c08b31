/** The view "Transform" in the side bar. */

import * as vscode from "vscode";
import type { Location } from "vscode-languageclient/node";
import type { OverviewModel } from "../overview";
import { overviewTree, type OverviewNode } from "./overviewTree";

const VIEW = "tdls.transform";

export class TransformView implements vscode.TreeDataProvider<OverviewNode>, vscode.Disposable {
  readonly onDidChangeTreeData: vscode.Event<void>;
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly model: OverviewModel) {
    this.onDidChangeTreeData = model.onDidChange;
    this.disposables = [
      vscode.window.createTreeView(VIEW, { treeDataProvider: this, showCollapseAll: true }),
      vscode.commands.registerCommand("tdls.refreshView", () => this.model.refresh()),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  getChildren(node?: OverviewNode): OverviewNode[] {
    if (node !== undefined) {
      return node.children ?? [];
    }
    return this.model.current === undefined ? [] : overviewTree(this.model.current, this.model.file);
  }

  getTreeItem(node: OverviewNode): vscode.TreeItem {
    const state = vscode.TreeItemCollapsibleState;
    const shown = node.isFolded === true ? state.Collapsed : state.Expanded;
    const item = new vscode.TreeItem(node.label, node.children === undefined ? state.None : shown);
    item.id = node.id;
    if (node.icon !== undefined) {
      item.iconPath = new vscode.ThemeIcon(node.icon);
    }
    if (node.description !== undefined) {
      item.description = node.description;
    }
    if (node.tooltip !== undefined) {
      item.tooltip = new vscode.MarkdownString().appendText(node.tooltip);
    }
    if (node.location !== undefined) {
      item.command = { command: "vscode.open", title: "Open", arguments: openArguments(node.location) };
    }
    return item;
  }
}

function openArguments({ uri, range }: Location): [vscode.Uri, vscode.TextDocumentShowOptions] {
  const { start, end } = range;
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  return [vscode.Uri.parse(uri), { selection, preserveFocus: true }];
}
